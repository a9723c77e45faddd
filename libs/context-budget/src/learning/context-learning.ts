import { z } from 'zod';

/** How far one observation moves the ratio. Six calls after a change, 90 % of it is learned. */
const WEIGHT = 0.3;
const LOWEST_RATIO = 0.7;
const HIGHEST_RATIO = 1.8;
const OBSERVATIONS_NEEDED = 3;

/** From here on a config is known well enough for small news to be let go. */
const SETTLED_OBSERVATIONS = 10;
/** With the weight above, a ratio is stored anew before it is 1 % off. */
const SMALL_CHANGE = 0.003;

const OVERFLOW_CUT = 0.8;
/** Below this an overflow is not our budget's fault but a wrong `context_limit`. */
const SMALLEST_FACTOR = 0.5;

/** What is learned about one model config, stored with it. */
export const contextLearningSchema = z.object({
  /** The provider's input tokens for one of ours. */
  ratio: z.number().min(LOWEST_RATIO).max(HIGHEST_RATIO),
  observations: z.number().int().nonnegative(),
  /** Part of the input budget in use; smaller once the provider has refused a request as too long. */
  budgetFactor: z.number().min(SMALLEST_FACTOR).max(1),
});
export type ContextLearning = z.infer<typeof contextLearningSchema>;

export const NOTHING_LEARNED: ContextLearning = { ratio: 1, observations: 0, budgetFactor: 1 };

/** Of a config that has taught nothing yet, or whose lesson cannot be read, nothing is known. */
export function readLearning(stored: unknown): ContextLearning {
  const parsed = contextLearningSchema.safeParse(stored);
  return parsed.success ? parsed.data : NOTHING_LEARNED;
}

/**
 * After a model call: our estimate of the whole request against the provider's own figure. Figures that prove
 * nothing (missing, zero) change nothing.
 */
export function learnFromCall(
  learning: ContextLearning,
  estimatedTokens: number,
  providerTokens: number,
): ContextLearning {
  const seen = providerTokens / estimatedTokens;
  if (!(estimatedTokens > 0) || !(providerTokens > 0) || !Number.isFinite(seen)) return learning;
  const held = hold(seen);
  const ratio = learning.observations === 0 ? held : learning.ratio + WEIGHT * (held - learning.ratio);
  return { ...learning, ratio: hold(ratio), observations: learning.observations + 1 };
}

/** Whether a lesson says enough that is new for a write to the config, which all of its runs share. */
export function isNews(known: ContextLearning, learned: ContextLearning): boolean {
  if (learned === known) return false;
  return (
    known.observations < SETTLED_OBSERVATIONS ||
    learned.budgetFactor !== known.budgetFactor ||
    Math.abs(learned.ratio - known.ratio) >= SMALL_CHANGE
  );
}

/**
 * After the provider refused a request as too long that was prepared with `usedFactor`: prepare again with the
 * smaller factor, and remember it. Runs that overflowed side by side cut the budget once, not each.
 */
export function learnFromOverflow(learning: ContextLearning, usedFactor: number): ContextLearning {
  if (learning.budgetFactor < usedFactor) return learning;
  return { ...learning, budgetFactor: Math.max(SMALLEST_FACTOR, learning.budgetFactor * OVERFLOW_CUT) };
}

/**
 * The ratio to show and to estimate costs with; 1 until enough was seen. The preparation fits text with it to
 * the safe side only.
 */
export function learnedRatio({ ratio, observations }: ContextLearning): number {
  return observations < OBSERVATIONS_NEEDED ? 1 : ratio;
}

function hold(ratio: number): number {
  return Math.min(HIGHEST_RATIO, Math.max(LOWEST_RATIO, ratio));
}
