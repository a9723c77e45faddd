import { z } from 'zod';

/**
 * The job catalogue: what is on each queue. Jobs carry ids only, since Redis and the dashboard must never
 * hold a prompt, a key or a token; everything else is read from the rows that the ids name.
 */
export const QUEUES = { runs: 'runs', toolCalls: 'tool-calls', upkeep: 'upkeep' } as const;
export type QueueName = (typeof QUEUES)[keyof typeof QUEUES];

/** Delivers a run to an agent worker. A delivery with another enqueue number than the row's is stale. */
export const executeRunJob = {
  queue: QUEUES.runs,
  name: 'execute-run',
  schema: z.object({ runId: z.uuid(), enqueueNumber: z.number().int().positive() }),
} as const;
export type ExecuteRun = z.infer<typeof executeRunJob.schema>;

/**
 * Ends a run from outside, once it is due: it was cancelled, or its deadline has passed while nobody held it. Of one
 * that waits for a person it ends the wait.
 * Whether it is due is read from its row, so a delivery too many does nothing.
 */
export const settleRunJob = {
  queue: QUEUES.runs,
  name: 'settle-run',
  schema: z.object({ runId: z.uuid() }),
} as const;

/** Delivers one tool call of a run to a tool worker. */
export const executeToolCallJob = {
  queue: QUEUES.toolCalls,
  name: 'execute-tool-call',
  schema: z.object({ runId: z.uuid(), callId: z.string().min(1) }),
} as const;
export type ExecuteToolCall = z.infer<typeof executeToolCallJob.schema>;

/** Looks for what was left behind. It has no data: what there is to do is in the rows. */
export const reapJob = { queue: QUEUES.upkeep, name: 'reap' } as const;
