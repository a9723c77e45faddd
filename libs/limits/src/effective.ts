import { MAX_RUN_SECONDS } from '@copilot/contracts';
import { z } from 'zod';
import type { SessionRoom } from './session-budget';
import { limitFields, LIMIT_RANGES, type RequestedLimits } from './request';

/** The documented defaults; null = no limit. The operator may set another default of the time. */
export const effectiveLimitsSchema = z.object({
  max_iterations: limitFields.max_iterations.default(20),
  max_tool_calls: limitFields.max_tool_calls.nullable().default(null),
  max_device_config_calls: limitFields.max_device_config_calls.nullable().default(null),
  max_diagnostic_calls: limitFields.max_diagnostic_calls.nullable().default(null),
  tool_limits: limitFields.tool_limits.default({}),
  max_execution_time_seconds: limitFields.max_execution_time_seconds.default(900),
  max_retries_per_tool: limitFields.max_retries_per_tool.default(1),
  retry_on_tool_error: limitFields.retry_on_tool_error.default(false),
  max_parallel_tools: limitFields.max_parallel_tools.default(5),
  on_limit_reached: limitFields.on_limit_reached.default('warn'),
  temperature: limitFields.temperature.nullable().default(null),
  max_cost: limitFields.max_cost.nullable().default(null),
  estimate_cost_before_execution: limitFields.estimate_cost_before_execution.default(false),
  auto_adjust_limits: limitFields.auto_adjust_limits.default(false),
});
export type EffectiveLimits = z.output<typeof effectiveLimitsSchema> & {
  /** What the session's budgets leave to the run; no part of what is stored with it. */
  readonly session?: SessionRoom;
};

/** The limits that hold for a run: what was asked for, and the defaults for the rest. */
export function effectiveLimits(
  requested: RequestedLimits,
  { maxSeconds }: { readonly maxSeconds: number },
): EffectiveLimits {
  return effectiveLimitsSchema.parse({ max_execution_time_seconds: maxSeconds, ...requested });
}

/** Where the model calls end in any case: at the limit or with `continue` at the ceiling, or with the session's. */
export function iterationBound(limits: EffectiveLimits): number {
  return Math.min(ownIterationBound(limits), sessionCallBound(limits));
}

export function ownIterationBound({ max_iterations, on_limit_reached }: EffectiveLimits): number {
  return on_limit_reached === 'continue' ? LIMIT_RANGES.max_iterations.max : max_iterations;
}

/** Model calls that the session's budget leaves to this run, whatever happens at its own limits. */
export function sessionCallBound({ session }: EffectiveLimits): number {
  const max = session?.budget.max_total_llm_calls ?? null;
  return session && max !== null ? Math.max(0, max - session.before.llm_calls) : Infinity;
}

/** Where the time ends in any case, in seconds from the run's first step. */
export function secondsBound({ max_execution_time_seconds, on_limit_reached }: EffectiveLimits): number {
  return on_limit_reached === 'continue' ? MAX_RUN_SECONDS : max_execution_time_seconds;
}
