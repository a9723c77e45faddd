import type { LimitAction, LimitName, SessionBudgetName } from '@copilot/contracts';
import type { BudgetHit } from './admission';
import type { EffectiveLimits } from './effective';
import type { NextCall, Standing } from './next-call';
import { costCause, type LimitCause } from './texts';

/** What the `limit_reached` event says. */
export interface LimitReached {
  readonly limit: LimitName;
  readonly tool_name?: string;
  readonly used: number;
  readonly max: number;
  readonly currency?: string;
  readonly budget?: SessionBudgetName;
  readonly action: LimitAction;
}

/** A limit is announced once a run, whatever else it leads to; only a raised one can be reached again. */
export function reachedKey({ limit, tool_name, budget, max }: LimitReached): string {
  return `${limit}/${tool_name ?? budget ?? ''}/${max}`;
}

/** The limits that a model call comes up against. */
export function reachedByModelCall(
  limits: EffectiveLimits,
  standing: Standing,
  next: NextCall,
): LimitReached[] {
  const reached = limits.on_limit_reached === 'continue' ? wentOn(limits, standing) : [];
  switch (next.type) {
    case 'ordinary':
      return reached;
    case 'closing':
      return [...reached, reachedBy(next.cause, usedOf(next.cause, standing, 1), 'closing_call')];
    case 'end':
      return [...reached, reachedAtEnd(limits, next.cause, standing)];
  }
}

/** The end that a limit makes of a run. */
export function reachedAtEnd(limits: EffectiveLimits, cause: LimitCause, standing: Standing): LimitReached {
  const action = limits.on_limit_reached === 'fail' ? 'fail' : 'abort';
  return reachedBy(cause, usedOf(cause, standing, 0), action);
}

/** The limits that the calls of one turn have met. */
export function reachedByCalls(limits: EffectiveLimits, hits: readonly BudgetHit[]): LimitReached[] {
  const refusing = limits.on_limit_reached === 'fail' ? 'fail' : 'refuse';
  return hits.map(({ budget, refused, used }) => ({
    limit: budget.limit,
    ...(budget.tool === undefined ? {} : { tool_name: budget.tool }),
    ...(budget.session ? { budget: budget.session.name } : {}),
    used: used + (budget.session?.before ?? 0),
    ...(refused > 0
      ? { max: budget.session ? budget.max : budget.bound, action: refusing }
      : { max: budget.max, action: 'continue' as const }),
  }));
}

/** The limits of the caller's that a run with `continue` has gone beyond. */
function wentOn(limits: EffectiveLimits, { iterations, elapsedMs, cost }: Standing): LimitReached[] {
  const seconds = wholeSeconds(elapsedMs);
  const { max_iterations: calls, max_execution_time_seconds: time } = limits;
  return [
    ...(iterations >= calls
      ? [{ limit: 'max_iterations', used: iterations, max: calls, action: 'continue' } as const]
      : []),
    ...(seconds >= time
      ? [{ limit: 'time_limit', used: seconds, max: time, action: 'continue' } as const]
      : []),
    ...(cost?.room === 'none' ? [reachedBy(costCause(limits, cost.currency), cost.spent, 'continue')] : []),
  ];
}

function reachedBy(
  { limit, tool, max, currency, session }: LimitCause,
  used: number,
  action: LimitAction,
): LimitReached {
  return {
    limit,
    ...(tool === undefined ? {} : { tool_name: tool }),
    used,
    max,
    ...(currency === undefined ? {} : { currency }),
    ...(session ? { budget: session.name } : {}),
    action,
  };
}

function usedOf({ limit, max, session }: LimitCause, standing: Standing, begun: number): number {
  const { iterations, elapsedMs, cost } = standing;
  if (limit === 'max_iterations') return (session?.before ?? 0) + iterations + begun;
  if (session) return standing.session?.used ?? max;
  if (limit === 'repeated_tool_call') return max + 1;
  if (limit === 'cost_limit') return cost?.spent ?? max;
  return limit === 'time_limit' ? wholeSeconds(elapsedMs) : max;
}

const wholeSeconds = (ms: number) => Math.floor(ms / 1_000);
