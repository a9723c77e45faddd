import { TOOL_NAMES } from '@copilot/contracts';
import { z } from 'zod';

export const ON_LIMIT_REACHED = ['fail', 'warn', 'continue'] as const;
export type OnLimitReached = (typeof ON_LIMIT_REACHED)[number];

/** The ranges of a request's fields; whole numbers, but for the temperature. */
export const LIMIT_RANGES = {
  max_iterations: { min: 1, max: 100 },
  max_tool_calls: { min: 1, max: 50 },
  max_device_config_calls: { min: 1, max: 50 },
  max_diagnostic_calls: { min: 1, max: 50 },
  tool_limits: { min: 0, max: 50 },
  max_execution_time_seconds: { min: 1, max: 3_600 },
  max_retries_per_tool: { min: 0, max: 5 },
  max_parallel_tools: { min: 1, max: 20 },
  temperature: { min: 0, max: 2 },
} as const;

/** Of `max_cost`: above the one, up to the other, in the currency of the model config. */
export const COST_RANGE = { above: 0, max: 1_000_000 } as const;

const whole = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

export const limitFields = {
  max_iterations: whole(LIMIT_RANGES.max_iterations),
  max_tool_calls: whole(LIMIT_RANGES.max_tool_calls),
  max_device_config_calls: whole(LIMIT_RANGES.max_device_config_calls),
  max_diagnostic_calls: whole(LIMIT_RANGES.max_diagnostic_calls),
  tool_limits: z.partialRecord(z.enum(TOOL_NAMES), whole(LIMIT_RANGES.tool_limits)),
  max_execution_time_seconds: whole(LIMIT_RANGES.max_execution_time_seconds),
  max_retries_per_tool: whole(LIMIT_RANGES.max_retries_per_tool),
  retry_on_tool_error: z.boolean(),
  max_parallel_tools: whole(LIMIT_RANGES.max_parallel_tools),
  on_limit_reached: z.enum(ON_LIMIT_REACHED),
  temperature: z.number().min(LIMIT_RANGES.temperature.min).max(LIMIT_RANGES.temperature.max),
  max_cost: z.number().gt(COST_RANGE.above).max(COST_RANGE.max),
  estimate_cost_before_execution: z.boolean(),
  auto_adjust_limits: z.boolean(),
} as const;

/** The names of all fields, in the order of the documentation. */
export const LIMIT_FIELDS = Object.keys(limitFields);

/** What a caller has asked for: any of the fields. Unknown ones are dropped. */
export const requestedLimitsSchema = z.object(limitFields).partial();
export type RequestedLimits = z.output<typeof requestedLimitsSchema>;

/** The limits in a chat request's body; a null is "not asked for". Throws ZodError for a value out of range. */
export function requestedLimits(body: object): RequestedLimits {
  const given = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  return requestedLimitsSchema.parse(Object.fromEntries(given));
}
