import { callBudgets, counted, covers, usedOf, type CallBudget, type CallCounts } from './budgets';
import type { EffectiveLimits } from './effective';
import { refusalText } from './texts';

/** A call as the model asked for it; one with a `refusal` is not to run anyway and does not count. */
export interface CallRequest {
  readonly name: string;
  readonly refusal?: string;
}

/** What a budget has met in one turn. */
export interface BudgetHit {
  readonly budget: CallBudget;
  /** Calls of the turn that were refused for it; 0 = they went on beyond what the caller set. */
  readonly refused: number;
  /** Calls that count against it, the turn's own included. */
  readonly used: number;
}

export interface Admission<Call extends CallRequest> {
  /** All calls in the model's order, those over a limit with their refusal. */
  readonly calls: readonly Call[];
  readonly counts: CallCounts;
  readonly hits: readonly BudgetHit[];
  /** Some calls were over a limit and nothing else is left to run. */
  readonly nothingLeft: boolean;
}

/**
 * Admits the calls of one turn one by one in the model's order: a call must pass every budget that covers it,
 * and counts against all of them. Refused calls count against none.
 */
export function admitCalls<Call extends CallRequest>(
  requested: readonly Call[],
  limits: EffectiveLimits,
  before: CallCounts,
): Admission<Call> {
  const budgets = callBudgets(limits);
  const refused = new Map<CallBudget, number>();
  let counts = before;
  const calls = requested.map((call): Call => {
    if (call.refusal !== undefined) return call;
    const full = budgets.find(
      (budget) => covers(budget, call.name) && usedOf(budget, counts) >= budget.bound,
    );
    if (full === undefined) {
      counts = counted(counts, call.name);
      return call;
    }
    refused.set(full, (refused.get(full) ?? 0) + 1);
    return { ...call, refusal: refusalText(full, usedOf(full, counts)) };
  });
  const hits = budgets.flatMap((budget): BudgetHit[] => {
    const used = usedOf(budget, counts);
    const turnedAway = refused.get(budget) ?? 0;
    return turnedAway > 0 || used > budget.max ? [{ budget, refused: turnedAway, used }] : [];
  });
  return { calls, counts, hits, nothingLeft: refused.size > 0 && counts.total === before.total };
}
