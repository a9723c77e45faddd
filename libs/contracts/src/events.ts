import { z } from 'zod';
import { RUN_ERROR_CODES } from './errors';
import { CONTEXT_STRATEGIES } from './model-config';
import {
  ADJUSTABLE_LIMITS,
  LIMIT_ACTIONS,
  LIMIT_NAMES,
  SESSION_BUDGETS,
  STOP_REASONS,
  usageSchema,
} from './run';

/** How much of a limit is used; null = no limit. */
const spent = z.object({ used: z.number(), max: z.number().nullable(), remaining: z.number().nullable() });

/**
 * The facts in a run's event log. The log stores deltas (a tool call's arguments as they came); the gateway
 * turns them into the wire contract's frames. One log entry becomes exactly one frame, so an entry's cursor
 * is the frame's `id:` and resuming from it can neither lose nor repeat a frame.
 */
export const runEventSchema = z.discriminatedUnion('type', [
  /** The first entry of every log, written when the run is accepted. 0 = nothing is before it on its session. */
  z.object({ type: z.literal('run'), queue_position: z.number().int().nonnegative() }),
  /** A former claim of the run was lost: viewers drop the text of the model call that was under way. */
  z.object({ type: z.literal('attempt'), attempt: z.number().int() }),
  /** What one model call is sent, in tokens; see docs/context-window.md. */
  z.object({
    type: z.literal('context'),
    system: z.number(),
    base: z.number(),
    topology: z.number(),
    history: z.number(),
    tools: z.number(),
    total: z.number(),
    limit: z.number(),
    limit_k: z.number(),
    percent: z.number(),
    strategy: z.enum(CONTEXT_STRATEGIES),
    output_reserve: z.number(),
    messages_before: z.number(),
    messages_after: z.number(),
    shortened_results: z.number(),
    correction: z.number(),
  }),
  z.object({ type: z.literal('content'), content: z.string() }),
  /** A piece of a tool call as the provider streamed it; the first piece of a call has the name. */
  z.object({
    type: z.literal('tool_call'),
    tool_call_id: z.string(),
    name: z.string(),
    arguments_delta: z.string(),
    complete: z.boolean(),
  }),
  z.object({ type: z.literal('tool_start'), tool_call_id: z.string(), tool_name: z.string() }),
  /** A call waits for a console that another call holds. */
  z.object({
    type: z.literal('tool_waiting'),
    tool_call_id: z.string(),
    tool_name: z.string(),
    device_name: z.string(),
    ahead: z.number().int().nonnegative(),
  }),
  z.object({
    type: z.literal('tool_end'),
    tool_call_id: z.string(),
    tool_name: z.string(),
    tool_output: z.string(),
    /** Length of the whole output in characters, where `tool_output` is only part of it. */
    full_length: z.number().int().optional(),
  }),
  /** Where the run stands after an iteration; the times count from its first step. */
  z.object({
    type: z.literal('limits'),
    iterations: spent,
    tool_calls: spent,
    by_tool: z.record(z.string(), z.number()),
    refused: z.number(),
    retries: z.number(),
    elapsed_ms: z.number(),
    deadline_ms: z.number(),
    /** null where the model config has no prices. */
    cost: spent.extend({ currency: z.string() }).nullable().default(null),
  }),
  /** What the run is going to take; cost is null, with the reason, where the model config has no prices. */
  z.object({
    type: z.literal('cost_estimate'),
    input_tokens: z.number(),
    expected_iterations: z.number(),
    expected_tool_calls: z.number(),
    expected_output_tokens: z.number(),
    based_on_runs: z.number(),
    cost: z
      .object({ low: z.number(), expected: z.number(), high: z.number(), currency: z.string() })
      .nullable(),
    reason: z.string().nullable(),
  }),
  /** A limit that the caller had left out was chosen or raised; null = no limit. */
  z.object({
    type: z.literal('limits_adjusted'),
    limit: z.enum(ADJUSTABLE_LIMITS),
    from: z.number().nullable(),
    to: z.number().nullable(),
    reason: z.string(),
  }),
  /** A limit was hit. Of time, `used` and `max` are seconds; of cost, amounts of `currency`. */
  z.object({
    type: z.literal('limit_reached'),
    limit: z.enum(LIMIT_NAMES),
    /** The tool, where the limit is one of `tool_limits`, or the one that was repeated. */
    tool_name: z.string().optional(),
    /** The budget of the session, where the limit comes from one; `used` and `max` are the session's then. */
    budget: z.enum(SESSION_BUDGETS).optional(),
    used: z.number(),
    max: z.number(),
    currency: z.string().optional(),
    action: z.enum(LIMIT_ACTIONS),
  }),
  /** Somebody has changed the run's limits while it works; null = no limit. */
  z.object({
    type: z.literal('limits_changed'),
    by: z.string(),
    changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
  }),
  /** The run waits for a person's word on these calls, and holds no worker meanwhile. */
  z.object({
    type: z.literal('approval_required'),
    /** UTC, ISO 8601: what is undecided then is rejected. */
    expires_at: z.string(),
    calls: z.array(
      z.object({
        tool_call_id: z.string(),
        tool_name: z.string(),
        arguments: z.record(z.string(), z.unknown()),
        /** The lines that each device would get; null for a tool that sends none. */
        preview: z.array(z.object({ device_name: z.string(), lines: z.array(z.string()) })).nullable(),
      }),
    ),
  }),
  /** A person has decided of a call, or the time for it is over (`expired`; `by` is null then). */
  z.object({
    type: z.literal('approval_decided'),
    tool_call_id: z.string(),
    tool_name: z.string(),
    decision: z.enum(['approved', 'rejected', 'expired']),
    by: z.string().nullable(),
    reason: z.string().nullable(),
    /** Where they were changed. */
    arguments: z.record(z.string(), z.unknown()).optional(),
  }),
  /** The run was cancelled; `done` follows. */
  z.object({ type: z.literal('abort') }),
  z.object({ type: z.literal('error'), error: z.string(), code: z.enum(RUN_ERROR_CODES) }),
  z.object({ type: z.literal('done'), stop_reason: z.enum(STOP_REASONS), usage: usageSchema }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;
export type RunEventType = RunEvent['type'];

/** `done` is always the last entry of a log. */
export function endsLog(event: RunEvent): boolean {
  return event.type === 'done';
}

/** Characters of a tool's output that an event carries; the whole is in Postgres. */
export const MAX_EVENT_OUTPUT_CHARS = 64_000;
