import type { ModelPrices, Usage } from '@copilot/contracts';
import { priceOf, spentOn, toAmount, toMoney, type Money } from './cost';
import type { EffectiveLimits } from './effective';

/** What a model call is expected to take. */
export interface CallSize {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How far the rest of the money goes: for a call and the closing call after it, for one call, for none. */
export type CostRoom = 'ample' | 'one_call' | 'none';

/** Where a run with `max_cost` stands before a model call. */
export interface CostStanding {
  readonly room: CostRoom;
  readonly spent: number;
  readonly currency: string;
}

/** An answer's length before the run has shown what its answers are like. */
export const ASSUMED_OUTPUT_TOKENS = 500;

/**
 * The output that the next call is reckoned with: what this run's calls had on average, at least what is typical
 * of the caller's runs, and no more than the config lets the model write.
 */
export function assumedOutput(
  { llm_calls, output_tokens }: Usage,
  typical: number,
  maxTokens: number | null | undefined,
): number {
  const average = llm_calls === 0 ? 0 : Math.ceil(output_tokens / llm_calls);
  return Math.min(maxTokens ?? Infinity, Math.max(typical, average));
}

/** Nothing is judged where no cost was set. The input counts as not cached, on the safe side. */
export function costStanding(
  { max_cost }: EffectiveLimits,
  usage: Usage,
  next: CallSize,
  prices: ModelPrices | null,
): CostStanding | undefined {
  if (max_cost === null || !prices) return undefined;
  const spent = spentOn(usage, prices);
  const price = priceOfCall(next, prices);
  const left = toMoney(max_cost) - spent;
  const room = left >= 2n * price ? 'ample' : left >= price ? 'one_call' : 'none';
  return { room, spent: toAmount(spent), currency: prices.currency };
}

export function priceOfCall({ inputTokens, outputTokens }: CallSize, prices: ModelPrices): Money {
  return priceOf({ input_tokens: inputTokens, cached_input_tokens: 0, output_tokens: outputTokens }, prices);
}
