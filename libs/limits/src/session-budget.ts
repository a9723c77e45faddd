import { SESSION_BUDGETS, type SessionBudgetName } from '@copilot/contracts';
import { z } from 'zod';
import { toAmount, toMoney } from './cost';
import { COST_RANGE } from './request';

/** The ranges of the budgets; whole numbers, but for the cost, which is above 0. */
export const SESSION_BUDGET_RANGES = {
  max_total_tool_calls: { min: 1, max: 1_000_000 },
  max_total_llm_calls: { min: 1, max: 1_000_000 },
  max_total_tokens: { min: 1, max: 1_000_000_000_000 },
  max_total_cost: COST_RANGE,
} as const;

const ranges = SESSION_BUDGET_RANGES;
const whole = ({ min, max }: { min: number; max: number }) =>
  z.number().int().min(min).max(max).nullable().default(null);

/** null = no budget. */
export const sessionBudgetSchema = z.object({
  max_total_tool_calls: whole(ranges.max_total_tool_calls),
  max_total_llm_calls: whole(ranges.max_total_llm_calls),
  max_total_tokens: whole(ranges.max_total_tokens),
  max_total_cost: z
    .number()
    .gt(ranges.max_total_cost.above)
    .max(ranges.max_total_cost.max)
    .nullable()
    .default(null),
});
export type SessionBudget = z.output<typeof sessionBudgetSchema>;

/** What the runs of a session have used, tokens of hidden calls not among them. */
export interface SessionTotals {
  readonly tool_calls: number;
  readonly llm_calls: number;
  readonly tokens: number;
  /** In the currency of the model config; runs without prices cost nothing here. */
  readonly cost: number;
}

/** A session's budget as a run meets it: one run works on a session at a time, so `before` is exact. */
export interface SessionRoom {
  readonly budget: SessionBudget;
  /** By the runs before this one. */
  readonly before: SessionTotals;
}

/** Which budget a limit comes from. */
export interface BudgetSource {
  readonly name: SessionBudgetName;
  /** What the runs before this one have used of it. */
  readonly before: number;
}

export const TOTAL_OF = {
  max_total_tool_calls: 'tool_calls',
  max_total_llm_calls: 'llm_calls',
  max_total_tokens: 'tokens',
  max_total_cost: 'cost',
} as const satisfies Record<SessionBudgetName, keyof SessionTotals>;

/** Nothing where no budget is set. Throws ZodError for what is none. */
export function sessionRoom(stored: unknown, before: SessionTotals): SessionRoom | undefined {
  const budget = sessionBudgetSchema.parse(stored);
  return SESSION_BUDGETS.some((name) => budget[name] !== null) ? { budget, before } : undefined;
}

/** What is left of each budget, never below 0; null = no budget. */
export function remainingOf(budget: SessionBudget, used: SessionTotals): SessionBudget {
  const left = (name: SessionBudgetName): number | null => {
    const max = budget[name];
    if (max === null) return null;
    // Through whole units: 0.3 - 0.1 is not 0.2.
    const rest = toMoney(max) - toMoney(used[TOTAL_OF[name]]);
    return rest > 0n ? toAmount(rest) : 0;
  };
  return {
    max_total_tool_calls: left('max_total_tool_calls'),
    max_total_llm_calls: left('max_total_llm_calls'),
    max_total_tokens: left('max_total_tokens'),
    max_total_cost: left('max_total_cost'),
  };
}

/** The first budget of which nothing is left. */
export function exhaustedBudget({ budget, before }: SessionRoom): SessionBudgetName | undefined {
  const left = remainingOf(budget, before);
  return SESSION_BUDGETS.find((name) => left[name] === 0);
}
