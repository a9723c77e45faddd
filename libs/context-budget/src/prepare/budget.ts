import type { ContextStrategy } from '@copilot/contracts';

/** Share of the window that the input may take; the rest is left for the answer. Fixed by the design. */
export const STRATEGY_PERCENT: Record<ContextStrategy, number> = {
  conservative: 60,
  balanced: 75,
  aggressive: 85,
};

export const TOKENS_PER_K = 1_000;

export interface ContextConfig {
  readonly model: string;
  /** K tokens, 1K = 1000. */
  readonly contextLimitK: number;
  readonly strategy: ContextStrategy;
}

/** Input budget in tokens. In whole percent: 0.6 x 1000 and its like are not exact in floating point. */
export function inputBudget({ contextLimitK, strategy }: ContextConfig): number {
  return Math.floor((contextLimitK * TOKENS_PER_K * STRATEGY_PERCENT[strategy]) / 100);
}

/** Tokens left for the answer. */
export function outputReserve(config: ContextConfig): number {
  return config.contextLimitK * TOKENS_PER_K - inputBudget(config);
}

const SHORTENED_MIN_TOKENS = 2_000;
const SHORTENED_SHARE = 0.25;

/** A tool result or a call's arguments above this are shortened before their exchange is dropped. */
export function oversizedTokens(messageBudget: number): number {
  return Math.max(SHORTENED_MIN_TOKENS, Math.floor(messageBudget * SHORTENED_SHARE));
}
