import type { CostStanding } from './cost-limit';
import type { SessionStanding } from './session-standing';
import { iterationBound, secondsBound, sessionCallBound, type EffectiveLimits } from './effective';
import {
  costCause,
  sessionCause,
  iterationsCause,
  timeCause,
  type EndingCause,
  type LimitCause,
} from './texts';

/** Where a run stands before a model call. */
export interface Standing {
  /** Model calls so far. */
  readonly iterations: number;
  /** Since the run's first step. */
  readonly elapsedMs: number;
  /** What the last turn's calls have made the next call the closing one for. */
  readonly forced: LimitCause | null;
  /** Only of a run with `max_cost`. */
  readonly cost?: CostStanding | undefined;
  /** Only of a run whose session has a budget of tokens or cost. */
  readonly session?: SessionStanding | undefined;
}

export type NextCall =
  | { readonly type: 'ordinary' }
  /** The last one: tools stay declared, none may be called, and the model is told why. */
  | { readonly type: 'closing'; readonly cause: LimitCause }
  /** No call is left. */
  | { readonly type: 'end'; readonly cause: EndingCause };

/** Room for the closing call before the deadline. */
const CLOSING_MS = 15_000;
const CLOSING_PART = 0.1;

/**
 * What the next model call is. Where several limits meet, the one that stands first in the table of
 * docs/limits.md is named: model calls, tool calls, time, cost, the session's tokens and cost.
 */
export function nextCall(limits: EffectiveLimits, standing: Standing): NextCall {
  const next = nextWithinRun(limits, standing);
  const { session } = standing;
  if (!session || next.type === 'end') return next;
  const cause = sessionCause(session);
  if (session.room === 'none') return { type: 'end', cause };
  const closes = session.room === 'one_call' && limits.on_limit_reached !== 'fail';
  return closes && next.type === 'ordinary' ? { type: 'closing', cause } : next;
}

function nextWithinRun(limits: EffectiveLimits, standing: Standing): NextCall {
  const next = nextWithoutCost(limits, standing);
  const { cost } = standing;
  if (!cost || next.type === 'end' || limits.on_limit_reached === 'continue') return next;
  const cause = costCause(limits, cost.currency);
  if (cost.room === 'none') return { type: 'end', cause };
  const closes = cost.room === 'one_call' && limits.on_limit_reached === 'warn';
  return closes && next.type === 'ordinary' ? { type: 'closing', cause } : next;
}

function nextWithoutCost(limits: EffectiveLimits, { iterations, elapsedMs, forced }: Standing): NextCall {
  const bound = iterationBound(limits);
  const fails = limits.on_limit_reached === 'fail';
  if (elapsedMs >= deadlineMs(limits)) return { type: 'end', cause: timeCause(limits) };
  // Unlike a limit that was lowered, a session's budget leaves no call for closing once it is used up.
  if (iterations >= sessionCallBound(limits)) return { type: 'end', cause: iterationsCause(limits) };
  if (fails && iterations >= bound) return { type: 'end', cause: iterationsCause(limits) };
  if (!fails && iterations + 1 >= bound) return { type: 'closing', cause: iterationsCause(limits) };
  if (forced) return { type: 'closing', cause: forced };
  if (!fails && elapsedMs >= closingMs(limits)) return { type: 'closing', cause: timeCause(limits) };
  return { type: 'ordinary' };
}

/** The calls of the last permitted model call are not executed where the run is to fail at its limit. */
export function failsAfter(limits: EffectiveLimits, iterations: number): boolean {
  return limits.on_limit_reached === 'fail' && iterations >= iterationBound(limits);
}

/** When the run's work is stopped, counted from its first step. */
export function deadlineMs(limits: EffectiveLimits): number {
  return secondsBound(limits) * 1_000;
}

/** From when on a model call is the closing one. */
function closingMs(limits: EffectiveLimits): number {
  const endMs = deadlineMs(limits);
  return endMs - Math.min(CLOSING_MS, endMs * CLOSING_PART);
}
