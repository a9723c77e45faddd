import { z } from 'zod';

/** Prices are per million tokens. Six decimals, so that a token's price is a whole number of 10^-12 units. */
export const PRICE_RANGE = { min: 0, max: 1_000_000, decimals: 6 } as const;

/** An ISO 4217 code, or any other three capital letters that a team bills in. */
export const CURRENCY_PATTERN = /^[A-Z]{3}$/;

export function isPrice(value: unknown): value is number {
  if (typeof value !== 'number' || !(value >= PRICE_RANGE.min) || value > PRICE_RANGE.max) return false;
  return Number(value.toFixed(PRICE_RANGE.decimals)) === value;
}

const price = z.number().refine(isPrice);

/** What a model costs, as a model config gives it and as it is kept with a run. */
export const modelPricesSchema = z.object({
  input_price: price,
  output_price: price,
  /** Of input tokens that the provider has read from its cache; without it they cost what others do. */
  cached_input_price: price.nullish(),
  currency: z.string().regex(CURRENCY_PATTERN),
});
export type ModelPrices = z.infer<typeof modelPricesSchema>;

/** The prices in a model config's settings, or the fields that are missing or unusable. */
export function pricesOf(
  settings: Readonly<Record<string, unknown>>,
): { readonly prices: ModelPrices } | { readonly missing: readonly string[] } {
  const parsed = modelPricesSchema.safeParse(settings);
  if (parsed.success) return { prices: parsed.data };
  return { missing: [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))] };
}
