import type { Usage } from '@copilot/contracts';
import {
  admitCalls,
  exceededLine,
  failsAfter,
  failureText,
  limitsFigures,
  iterationsCause,
  notExecutedText,
  raiseLimits,
  reachedAtEnd,
  reachedByCalls,
  reachedKey,
  stillChosen,
  withAdjustments,
  type BudgetHit,
  type FailingCause,
  type LimitReached,
  type Standing,
} from '@copilot/limits';
import type { RunContext } from './run-context';
import type { RequestedCall, RunFailure, RunProgress } from './state';

export function standingOf({ iterations, forced }: RunProgress, { clock }: RunContext): Standing {
  return { iterations, forced, elapsedMs: clock.elapsedMs };
}

/** Tells the viewers of limits that were hit, of each once a run. Returns what has been told by now. */
export function tellReached(
  told: readonly string[],
  reached: readonly LimitReached[],
  context: RunContext,
): readonly string[] {
  const all = [...told];
  for (const limit of reached) {
    const key = reachedKey(limit);
    if (all.includes(key)) continue;
    all.push(key);
    context.publish({ type: 'limit_reached', ...limit });
    context.log.warn({ ...limit }, 'run limit reached');
  }
  return all;
}

/** Where the run stands after an iteration. */
export function tellLimits(usage: Usage, context: RunContext): void {
  const { limits, clock } = context;
  context.publish({ type: 'limits', ...limitsFigures(limits, usage, clock.elapsedMs) });
}

/** A turn's calls as the limits leave them, and what that means for the run. */
export type AdmittedTurn = Pick<
  RunProgress,
  'requested' | 'usage' | 'reached' | 'forced' | 'failure' | 'stopReason' | 'chosen' | 'untold'
>;

export function admitTurn(
  calls: readonly RequestedCall[],
  { usage, reached, iterations, chosen: before, repeats }: RunProgress,
  context: RunContext,
): AdmittedTurn {
  const counts = { total: usage.tool_calls, byTool: usage.by_tool };
  const own = stillChosen(before, context.limits);
  const { chosen, adjustments } = raiseLimits(own, { iterations, counts, calls, before: repeats });
  const limits = withAdjustments(context.limits, adjustments);
  const admitted = admitWithin(calls, { usage, reached, iterations }, { ...context, limits });
  return { ...admitted, chosen, untold: adjustments };
}

function admitWithin(
  calls: readonly RequestedCall[],
  { usage, reached, iterations }: Pick<RunProgress, 'usage' | 'reached' | 'iterations'>,
  context: RunContext,
): Omit<AdmittedTurn, 'chosen' | 'untold'> {
  const { limits } = context;
  if (failsAfter(limits, iterations) && calls.length > 0) {
    return failedTurn(calls, { usage, reached, iterations }, context);
  }
  const admission = admitCalls(calls, limits, { total: usage.tool_calls, byTool: usage.by_tool });
  for (const { budget, refused, used } of admission.hits) {
    if (refused > 0)
      context.log.warn({ limit: budget.limit, tool: budget.tool }, exceededLine(used, refused, budget.bound));
  }
  const full = admission.hits.find(({ refused }) => refused > 0);
  const cause = full ? causeOf(full) : null;
  const fails = limits.on_limit_reached === 'fail';
  const counted = {
    ...usage,
    tool_calls: admission.counts.total,
    by_tool: { ...admission.counts.byTool },
    refused_tool_calls: usage.refused_tool_calls + countRefused(admission.calls),
  };
  return {
    requested: admission.calls,
    usage: counted,
    reached: tellReached(reached, reachedByCalls(limits, admission.hits), context),
    forced: admission.nothingLeft ? cause : null,
    failure: fails && cause ? failureOf(cause, counted) : null,
    stopReason: fails && cause ? cause.limit : 'completed',
  };
}

/** The last model call of a run that is to fail at its limit still asks for tools. */
function failedTurn(
  calls: readonly RequestedCall[],
  { usage, reached, iterations }: Pick<RunProgress, 'usage' | 'reached' | 'iterations'>,
  context: RunContext,
): Omit<AdmittedTurn, 'chosen' | 'untold'> {
  const { limits } = context;
  const cause = iterationsCause(limits);
  const hit = reachedAtEnd(limits, cause, { iterations, elapsedMs: 0, forced: null });
  return {
    requested: calls.map((call) => ({ ...call, refusal: call.refusal ?? notExecutedText(limits) })),
    usage: { ...usage, refused_tool_calls: usage.refused_tool_calls + calls.length },
    reached: tellReached(reached, [hit], context),
    forced: null,
    failure: failureOf(cause, usage),
    stopReason: cause.limit,
  };
}

/** The failure of a run that was to fail at this limit. */
export function failureOf(cause: FailingCause, usage: Usage): RunFailure {
  return { code: cause.limit, message: failureText(cause, usage.tool_calls) };
}

function causeOf({ budget: { limit, tool, bound, max, session } }: BudgetHit): FailingCause {
  if (session) return { limit, max, session };
  return { limit, ...(tool === undefined ? {} : { tool }), max: bound };
}

function countRefused(calls: readonly RequestedCall[]): number {
  return calls.filter(({ refusal }) => refusal !== undefined).length;
}
