import { HAND_OVER_GRACE_MS, SETTLE_GRACE_MS } from '@copilot/contracts';
import { and, asc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Connection } from '../database';
import { runs, toolCalls, type RunRow } from '../schema';

/** A run that somebody should be working on, as it was when it was read. */
export type LiveRun = Pick<
  RunRow,
  'runId' | 'sequence' | 'status' | 'attempt' | 'enqueueNumber' | 'deadlineAt'
>;

/** Where a tool call stands in its run. */
export interface CallPlace {
  readonly runId: string;
  readonly iteration: number;
  readonly position: number;
}

export interface Redelivery {
  readonly enqueueNumber: number;
  /** Times that the queue has lost the run by now, this one included. */
  readonly redeliveries: number;
}

/** Those that a job stands for: not the ones that wait in line, nor the ones that wait for a person. */
const DELIVERED = ['queued', 'running', 'waiting_tools'] as const;

const HAND_OVER_GRACE = sql.raw(`interval '${HAND_OVER_GRACE_MS} milliseconds'`);
/** An order to end a run, and whoever holds it, have had their time then. */
const OVERDUE_GRACE = sql.raw(`interval '${SETTLE_GRACE_MS + HAND_OVER_GRACE_MS} milliseconds'`);

const earlier = alias(runs, 'earlier');

/** What a search for runs that were left behind reads and changes; every read is bounded by `limit`. */
export class RunReapingRepository {
  constructor(private readonly connection: Connection) {}

  /** Unfinished runs that have been enqueued, in their order, those after `afterSequence`. */
  async live(afterSequence: number, limit: number): Promise<LiveRun[]> {
    return this.connection.db
      .select({
        runId: runs.runId,
        sequence: runs.sequence,
        status: runs.status,
        attempt: runs.attempt,
        enqueueNumber: runs.enqueueNumber,
        deadlineAt: runs.deadlineAt,
      })
      .from(runs)
      .where(
        and(
          isNull(runs.endedAt),
          inArray(runs.status, [...DELIVERED]),
          gt(runs.enqueueNumber, 0),
          gt(runs.sequence, afterSequence),
          lt(runs.createdAt, sql`now() - ${HAND_OVER_GRACE}`),
        ),
      )
      .orderBy(asc(runs.sequence))
      .limit(limit);
  }

  /** The calls of the newest turn of each of these runs. */
  async newestTurns(runIds: readonly string[]): Promise<CallPlace[]> {
    if (runIds.length === 0) return [];
    const newest = this.connection.db
      .select({ runId: toolCalls.runId, last: sql<number>`max(${toolCalls.iteration})`.as('last') })
      .from(toolCalls)
      .where(inArray(toolCalls.runId, [...runIds]))
      .groupBy(toolCalls.runId)
      .as('newest');
    return this.connection.db
      .select({ runId: toolCalls.runId, iteration: toolCalls.iteration, position: toolCalls.position })
      .from(toolCalls)
      .innerJoin(newest, and(eq(newest.runId, toolCalls.runId), eq(newest.last, toolCalls.iteration)));
  }

  /**
   * Gives the run a new enqueue number, which makes whatever is still on its way to it stale. Nothing when
   * anybody has done anything with the run since it was read: it is not lost then.
   */
  async redeliver(seen: LiveRun): Promise<Redelivery | undefined> {
    const [row] = await this.connection.db
      .update(runs)
      .set({
        enqueueNumber: sql`${runs.enqueueNumber} + 1`,
        redeliveries: sql`${runs.redeliveries} + 1`,
      })
      .where(
        and(
          eq(runs.runId, seen.runId),
          isNull(runs.endedAt),
          eq(runs.status, seen.status),
          eq(runs.attempt, seen.attempt),
          eq(runs.enqueueNumber, seen.enqueueNumber),
        ),
      )
      .returning({ enqueueNumber: runs.enqueueNumber, redeliveries: runs.redeliveries });
    return row;
  }

  /**
   * Runs that should have been settled a while ago: they were cancelled, their deadline has passed, or nobody has
   * decided of their calls in time. A deadline stands still while its run waits for a person.
   */
  async overdue(limit: number): Promise<string[]> {
    const dueAt = sql`CASE WHEN ${runs.status} = 'waiting_approval' THEN ${runs.approvalExpiresAt} ELSE ${runs.deadlineAt} END`;
    const rows = await this.connection.db
      .select({ runId: runs.runId })
      .from(runs)
      .where(
        and(
          isNull(runs.endedAt),
          or(
            lt(dueAt, sql`now() - ${OVERDUE_GRACE}`),
            lt(runs.cancelRequestedAt, sql`now() - ${OVERDUE_GRACE}`),
          ),
        ),
      )
      .limit(limit);
    return rows.map(({ runId }) => runId);
  }

  /** Sessions whose line has come to a run that nobody has enqueued. */
  async stoppedLines(limit: number): Promise<number[]> {
    const before = this.connection.db
      .select({ found: sql`1` })
      .from(earlier)
      .where(
        and(eq(earlier.session, runs.session), isNull(earlier.endedAt), lt(earlier.sequence, runs.sequence)),
      );
    const rows = await this.connection.db
      .select({ session: runs.session })
      .from(runs)
      .where(
        and(
          isNull(runs.endedAt),
          eq(runs.enqueueNumber, 0),
          lt(runs.createdAt, sql`now() - ${HAND_OVER_GRACE}`),
          sql`NOT EXISTS ${before}`,
        ),
      )
      .limit(limit);
    return rows.map(({ session }) => session);
  }
}
