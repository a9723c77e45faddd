import type { LimitName } from '@copilot/contracts';
import type { CallBudget } from './budgets';
import { amountText } from './cost';
import {
  iterationBound,
  ownIterationBound,
  secondsBound,
  sessionCallBound,
  type EffectiveLimits,
} from './effective';
import type { BudgetSource } from './session-budget';
import type { SessionStanding } from './session-standing';

/** A limit that ended the work, or is about to. */
export interface LimitCause<Name extends LimitName = LimitName> {
  readonly limit: Name;
  readonly tool?: string;
  /** Where it ended: calls, model calls, seconds, an amount of money or repeats. */
  readonly max: number;
  /** Of a cost. */
  readonly currency?: string;
  /** Where it is the session's; `max` is its total then. */
  readonly session?: BudgetSource;
}

/** What a run can end by without a model call more. */
export type EndingCause = LimitCause<'max_iterations' | 'time_limit' | 'cost_limit'>;

/** What a run can fail by; repeats alone make no run fail. */
export type FailingCause = LimitCause<Exclude<LimitName, 'repeated_tool_call'>>;

/** The result of a call that was over a limit; the wording is the design document's. */
export function refusalText(budget: CallBudget, used: number): string {
  const { bound, tool, session, max } = budget;
  if (session) {
    return `Tool call budget of the session reached (${max} calls). Please simplify your request or break it into smaller steps. Current tool call count of the session: ${session.before + used}/${max}.`;
  }
  if (bound === 0) {
    return `The tool ${tool} is switched off for this run (tool_limits), so nothing was executed. Go on without it.`;
  }
  const what = tool === undefined ? CALLS[budget.limit] : `${tool} call`;
  const opening = tool === undefined ? `${what.charAt(0).toUpperCase()}${what.slice(1)}` : what;
  return `${opening} limit reached (${bound} calls). Please simplify your request or break it into smaller steps. Current ${what} count: ${used}/${bound}.`;
}

const CALLS = {
  max_tool_calls: 'tool call',
  max_device_config_calls: 'device config call',
  max_diagnostic_calls: 'diagnostic call',
  tool_limit: 'call',
} as const;

/** The result of a call that the last model call of a run asked for where the run is to fail at its limit. */
export function notExecutedText(limits: EffectiveLimits): string {
  const cause = iterationsCause(limits);
  if (cause.session) return `Not executed: ${reason(cause)}.`;
  return `Not executed: the run has reached its limit of ${limits.max_iterations} model calls.`;
}

/** The result of a call that the run had no time left for. */
export function noTimeText(limits: EffectiveLimits): string {
  return `Not executed: the run has reached its time limit of ${secondsBound(limits)} s.`;
}

/** The result of a call that was under way when the run's time was over. */
export function stoppedByTimeText(limits: EffectiveLimits): string {
  return `Error: the run reached its time limit of ${secondsBound(limits)} s and the call was stopped. What it had begun may or may not have taken effect; check before you repeat it.`;
}

/** What the model is told with its last call. */
export function closingInstruction(cause: LimitCause): string {
  return `This is the last call of this run: ${reason(cause)}. No more tools can be used. Answer now from what you have: say what was done, what was found, and what is left to do.`;
}

/** The service's own sentence where a limit left no answer of the model's. */
export function emptyAnswerText(cause: LimitCause, toolCalls: number): string {
  return `The run ended before an answer was written: ${reason(cause)}. ${done(toolCalls)} Send another message to go on.`;
}

/** What the caller of a run that failed at a limit is told. */
export function failureText(cause: LimitCause, toolCalls: number): string {
  return `The run was to fail at its limits, and ${reason(cause)}. ${done(toolCalls)} Raise the limit, or ask for less in one message.`;
}

function done(toolCalls: number): string {
  return `${plural(toolCalls, 'tool call')} ${toolCalls === 1 ? 'was' : 'were'} made.`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function reason(cause: LimitCause): string {
  const { limit, tool, max, currency, session } = cause;
  if (session) return `its session ${sessionReason(session, max, currency)} (${session.name})`;
  switch (limit) {
    case 'max_iterations':
      return `it has reached its limit of ${plural(max, 'model call')} (max_iterations)`;
    case 'max_tool_calls':
    case 'max_device_config_calls':
    case 'max_diagnostic_calls':
      return `it has reached its limit of ${plural(max, CALLS[limit])} (${limit})`;
    case 'tool_limit':
      return max === 0
        ? `the tool ${tool} is switched off for it (tool_limits)`
        : `it has reached its limit of ${plural(max, 'call')} of ${tool} (tool_limits)`;
    case 'time_limit':
      return `it has reached its time limit of ${max} s (max_execution_time_seconds)`;
    case 'cost_limit':
      return `another model call would go beyond its cost limit of ${amountText(max, currency ?? '')} (max_cost)`;
    case 'repeated_tool_call':
      return `the same call of ${tool} gave the same result again and again`;
  }
}

function sessionReason({ name }: BudgetSource, max: number, currency: string | undefined): string {
  switch (name) {
    case 'max_total_llm_calls':
      return `has reached its budget of ${plural(max, 'model call')}`;
    case 'max_total_tool_calls':
      return `has reached its budget of ${plural(max, 'tool call')}`;
    case 'max_total_tokens':
      return `has no room for another model call in its budget of ${max} tokens`;
    case 'max_total_cost':
      return `has no room for another model call in its budget of ${amountText(max, currency ?? '')}`;
  }
}

export function iterationsCause(limits: EffectiveLimits): LimitCause<'max_iterations'> {
  const { session } = limits;
  const total = session?.budget.max_total_llm_calls ?? null;
  if (session && total !== null && sessionCallBound(limits) < ownIterationBound(limits)) {
    const source = { name: 'max_total_llm_calls', before: session.before.llm_calls } as const;
    return { limit: 'max_iterations', max: total, session: source };
  }
  return { limit: 'max_iterations', max: iterationBound(limits) };
}

export function timeCause(limits: EffectiveLimits): LimitCause<'time_limit'> {
  return { limit: 'time_limit', max: secondsBound(limits) };
}

export function costCause({ max_cost }: EffectiveLimits, currency: string): LimitCause<'cost_limit'> {
  return { limit: 'cost_limit', max: max_cost ?? 0, currency };
}

/** The work ended at the session's tokens or cost, which a run knows as its cost limit. */
export function sessionCause({ source, max, currency }: SessionStanding): LimitCause<'cost_limit'> {
  return { limit: 'cost_limit', max, session: source, ...(currency === undefined ? {} : { currency }) };
}
