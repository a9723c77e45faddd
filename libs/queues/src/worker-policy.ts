import { JOB_LOCK_MS, STALLED_CHECK_MS } from '@copilot/contracts';
import type { WorkerOptions } from 'bullmq';

/** One prefix with one hash tag: flows span both queues, so on a cluster all keys must share a slot. */
export const QUEUE_PREFIX = '{copilot}';

/**
 * Same for every worker: the key of the stalled check is shared, so the slowest worker's times win.
 * The stalled count is practically unlimited, since BullMQ would otherwise fail a run for good on the
 * second kill of its worker; how often a run may be tried is our rows' business.
 */
export const WORKER_POLICY = {
  autorun: false,
  lockDuration: JOB_LOCK_MS,
  stalledInterval: STALLED_CHECK_MS,
  maxStalledCount: 1_000_000,
  maxStartedAttempts: 1_000_000,
} as const satisfies Partial<WorkerOptions>;

/**
 * Postgres or Redis may be away for hours, and a job that failed for good would leave its run waiting for
 * ever: attempts are practically unlimited, and our rows hold the limits. Stacks are kept short, since
 * BullMQ stores one for each attempt.
 */
export const JOB_POLICY = {
  attempts: 1_000_000,
  stackTraceLimit: 1,
  backoff: { type: 'fixed', delay: 1_000 },
  removeOnComplete: { age: 3_600, count: 1_000 },
  removeOnFail: { age: 86_400, count: 5_000 },
} as const;

/** Not kept once it is done: a run may have to be settled again under the same id. */
export const SETTLE_POLICY = { ...JOB_POLICY, removeOnComplete: true } as const;
