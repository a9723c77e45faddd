import { PRICE_RANGE, type ModelPrices, type Usage } from '@copilot/contracts';

/**
 * Money as a whole number of 10^-12 of the currency's unit. A price a million tokens has six decimals at most,
 * so a token's price is such a number: sums and comparisons are exact, and only what is shown is a float.
 */
export type Money = bigint;

/** Tokens of one or more model calls; the cached ones are part of the input. */
export interface TokenSums {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
}

const UNIT_DECIMALS = 12;
const UNIT = 10 ** UNIT_DECIMALS;

export function priceOf(tokens: TokenSums, prices: ModelPrices): Money {
  const { input_price, output_price, cached_input_price } = prices;
  const cached = Math.min(tokens.cached_input_tokens, tokens.input_tokens);
  return (
    BigInt(tokens.input_tokens - cached) * perToken(input_price) +
    BigInt(cached) * perToken(cached_input_price ?? input_price) +
    BigInt(tokens.output_tokens) * perToken(output_price)
  );
}

/** What a run has cost so far, its hidden calls included. */
export function spentOn(usage: Usage, prices: ModelPrices): Money {
  return priceOf(usage, prices) + priceOf(usage.overhead, prices);
}

/** The usage with the cost of its tokens. */
export function withCost(usage: Usage, prices: ModelPrices | null): Usage {
  if (!prices) return { ...usage, cost: null };
  return { ...usage, cost: { amount: toAmount(spentOn(usage, prices)), currency: prices.currency } };
}

/** In the currency's unit, for show. Prints exactly what it is up to 15 significant digits. */
export function toAmount(money: Money): number {
  return Number(money) / UNIT;
}

/** The inverse for amounts that people write. */
export function toMoney(amount: number): Money {
  return BigInt(amount.toFixed(UNIT_DECIMALS).replace('.', ''));
}

/** A sum for a sentence: rounded to six decimals, without zeros that say nothing. */
export function amountText(amount: number, currency: string): string {
  const rounded = Number(amount.toFixed(PRICE_RANGE.decimals));
  const text = rounded.toFixed(PRICE_RANGE.decimals).replace(/\.?0+$/, '');
  return rounded === 0 && amount > 0 ? `less than 0.000001 ${currency}` : `${text} ${currency}`;
}

/** 10^6 x the price, which is per 10^6 tokens, is the price of one token in 10^-12. */
function perToken(price: number): Money {
  return BigInt(price.toFixed(PRICE_RANGE.decimals).replace('.', ''));
}
