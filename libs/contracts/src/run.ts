import { z } from 'zod';

/** The statuses a run passes through. The last three are final. */
export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting_tools',
  'waiting_approval',
  'completed',
  'failed',
  'cancelled',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Statuses in which a run's row may never change again. */
export const ENDED_RUN_STATUSES = [
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly RunStatus[];

export type EndedRunStatus = (typeof ENDED_RUN_STATUSES)[number];

export function isEnded(status: RunStatus): status is EndedRunStatus {
  return (ENDED_RUN_STATUSES as readonly RunStatus[]).includes(status);
}

/**
 * What becomes of a message while its session has unfinished runs: it waits behind them, it is refused, or they are
 * cancelled and it is next.
 */
export const MULTITASK_STRATEGIES = ['enqueue', 'reject', 'interrupt'] as const;
export type MultitaskStrategy = (typeof MULTITASK_STRATEGIES)[number];

/** Why a run ended, as `done` and the run resource say it. */
export const STOP_REASONS = [
  'completed',
  'max_iterations',
  'max_tool_calls',
  'max_device_config_calls',
  'max_diagnostic_calls',
  'tool_limit',
  'time_limit',
  'cost_limit',
  'repeated_tool_call',
  'aborted',
  'error',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** What can end a run's work before the model would, under the names that `limit_reached` and `done` use. */
export const LIMIT_NAMES = [
  'max_iterations',
  'max_tool_calls',
  'max_device_config_calls',
  'max_diagnostic_calls',
  'tool_limit',
  'time_limit',
  'cost_limit',
  'repeated_tool_call',
] as const satisfies readonly StopReason[];
export type LimitName = (typeof LIMIT_NAMES)[number];

/** The limits that `auto_adjust_limits` lets the service choose where the caller left them out. */
export const ADJUSTABLE_LIMITS = [
  'max_iterations',
  'max_tool_calls',
  'max_device_config_calls',
  'max_diagnostic_calls',
] as const satisfies readonly LimitName[];
export type AdjustableLimit = (typeof ADJUSTABLE_LIMITS)[number];

/** Totals over a session's life that its runs may not go beyond. */
export const SESSION_BUDGETS = [
  'max_total_tool_calls',
  'max_total_llm_calls',
  'max_total_tokens',
  'max_total_cost',
] as const;
export type SessionBudgetName = (typeof SESSION_BUDGETS)[number];

/** What is done about a limit that was hit. */
export const LIMIT_ACTIONS = [
  /** The calls over the limit are answered with an error; the work goes on. */
  'refuse',
  /** The model is asked once more, for an answer from what there is. */
  'closing_call',
  /** What is under way is stopped, and what exists is kept. */
  'abort',
  /** The run fails. */
  'fail',
  /** The work goes on to the service's own ceiling. */
  'continue',
] as const;
export type LimitAction = (typeof LIMIT_ACTIONS)[number];

/**
 * What a run used. Tokens are the provider's own figures where it reports them;
 * `estimated` says that at least one call had to be counted by us.
 */
export const usageSchema = z.object({
  llm_calls: z.number().int().nonnegative(),
  /** Calls that were admitted to execution; refused ones and further attempts are counted apart. */
  tool_calls: z.number().int().nonnegative(),
  refused_tool_calls: z.number().int().nonnegative().default(0),
  tool_retries: z.number().int().nonnegative().default(0),
  /** The admitted calls by tool name. */
  by_tool: z.record(z.string(), z.number().int().nonnegative()).default({}),
  input_tokens: z.number().int().nonnegative(),
  /** Part of the input tokens: those that the provider says it has read from its cache. */
  cached_input_tokens: z.number().int().nonnegative().default(0),
  output_tokens: z.number().int().nonnegative(),
  total_tokens: z.number().int().nonnegative(),
  estimated: z.boolean(),
  /** Tokens of calls that are not iterations: the title, the planner, summaries. */
  overhead: z.object({
    input_tokens: z.number().int().nonnegative(),
    cached_input_tokens: z.number().int().nonnegative().default(0),
    output_tokens: z.number().int().nonnegative(),
  }),
  /** Of all tokens above, the overhead included; null where the model config has no prices. */
  cost: z.object({ amount: z.number().nonnegative(), currency: z.string() }).nullable().default(null),
});
export type Usage = z.infer<typeof usageSchema>;

export const NO_USAGE: Usage = {
  llm_calls: 0,
  tool_calls: 0,
  refused_tool_calls: 0,
  tool_retries: 0,
  by_tool: {},
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  estimated: false,
  overhead: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 },
  cost: null,
};

/** Longest client-made session id that is accepted; any characters are. */
export const MAX_SESSION_ID_LENGTH = 300;

/** The caller of every request while `AUTH_MODE=none`. */
export const LOCAL_USER_ID = '00000000-0000-4000-8000-000000000001';
