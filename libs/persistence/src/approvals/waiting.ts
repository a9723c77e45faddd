import { EXPIRED_TEXT } from '@copilot/contracts';
import { and, eq, sql } from 'drizzle-orm';
import { runs, toolCalls } from '../schema';
import type { Enqueueing } from '../runs/runs.repository';
import type { Queryable } from '../transaction';

/**
 * What changes of a run's row when it stops waiting for a person: the wait is taken out of its time, so the
 * deadline moves by as much. Of a run that does not wait nothing changes. When the wait would have ended stays: the
 * job for that is still to be removed.
 */
export const WAIT_IS_OVER = {
  approvalRequestedAt: null,
  waitedMs: sql`${runs.waitedMs} + coalesce(round(extract(epoch FROM now() - ${runs.approvalRequestedAt}) * 1000), 0)::bigint`,
  deadlineAt: sql`${runs.deadlineAt} + coalesce(now() - ${runs.approvalRequestedAt}, interval '0')`,
} as const;

/** Lets a waiting run, whose row is locked, go on. Its new enqueueing is still to be put on the queue. */
export async function goOn(tx: Queryable, runId: string): Promise<Enqueueing> {
  const [run] = await tx
    .update(runs)
    .set({ status: 'queued', enqueueNumber: sql`${runs.enqueueNumber} + 1`, ...WAIT_IS_OVER })
    .where(eq(runs.runId, runId))
    .returning({ runId: runs.runId, enqueueNumber: runs.enqueueNumber });
  if (!run) throw new Error('a locked row can be updated');
  return run;
}

/** Rejects whatever nobody has decided of in time, and lets the run go on. Its row is locked. */
export async function lapse(tx: Queryable, runId: string): Promise<Enqueueing> {
  await tx
    .update(toolCalls)
    .set({
      approval: 'expired',
      status: 'rejected',
      output: EXPIRED_TEXT,
      decidedAt: sql`now()`,
      endedAt: sql`now()`,
    })
    .where(and(eq(toolCalls.runId, runId), eq(toolCalls.approval, 'pending')));
  return goOn(tx, runId);
}
