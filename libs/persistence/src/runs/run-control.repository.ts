import { MAX_REDELIVERIES, SETTLE_GRACE_MS, type RunStatus } from '@copilot/contracts';
import type { SessionTotals } from '@copilot/limits';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Connection } from '../database';
import { runs, sessions, type LimitsChange, type RunRow } from '../schema';
import { sessionTotals } from '../sessions/session-totals';
import type { Queryable } from '../transaction';
import { lapse, WAIT_IS_OVER } from '../approvals/waiting';
import type { ClaimedRun, Enqueueing } from './runs.repository';

/** What may change of a run while somebody works on it, by the database's clock at this moment. */
export interface RunStanding {
  readonly effectiveLimits: Record<string, unknown>;
  readonly cancelRequested: boolean;
  readonly ended: boolean;
  /** Null before the first step; the clock starts with that. */
  readonly deadlineAt: Date | null;
  readonly remainingMs: number;
  readonly elapsedMs: number;
  /** The session's budget, and what its runs before this one have used. */
  readonly session: { readonly budget: Record<string, unknown>; readonly totals: SessionTotals };
}

/** What is to be done about an order to end a run from outside. */
export type Settling =
  | { readonly type: 'ended' }
  /** `inMs` is null where there is nothing to wait for: it is neither cancelled nor begun, or a person has long time. */
  | {
      readonly type: 'not-due';
      readonly inMs: number | null;
      /** Where the run is on the queue, or should be. */
      readonly next: Enqueueing | null;
    }
  /** Nobody decided of its calls in time: the run goes on without them. */
  | { readonly type: 'lapsed'; readonly next: Enqueueing }
  | { readonly type: 'taken'; readonly claimed: ClaimedRun };

export interface LimitsUpdate {
  readonly effective: Record<string, unknown>;
  readonly maxSeconds: number;
  readonly by: string;
  readonly changes: LimitsChange['changes'];
}

const SETTLE_GRACE = sql.raw(`interval '${SETTLE_GRACE_MS} milliseconds'`);

/** What reaches into a run from outside: cancelling, changed limits, and the end of a run that nobody ends. */
export class RunControlRepository {
  constructor(private readonly connection: Connection) {}

  /** False: the run has ended already. From now on nobody begins anything more of it. */
  async requestCancel(runId: string): Promise<boolean> {
    const marked = await this.connection.db
      .update(runs)
      .set({ cancelRequestedAt: sql`coalesce(${runs.cancelRequestedAt}, now())` })
      .where(and(eq(runs.runId, runId), isNull(runs.endedAt)))
      .returning({ runId: runs.runId });
    return marked.length > 0;
  }

  /** Rejects for a run that is not there: its project may have been deleted. */
  async standing(runId: string): Promise<RunStanding> {
    const [row] = await this.connection.db
      .select({
        effectiveLimits: runs.effectiveLimits,
        cancelRequestedAt: runs.cancelRequestedAt,
        endedAt: runs.endedAt,
        deadlineAt: runs.deadlineAt,
        remainingMs: REMAINING_MS,
        elapsedMs: ELAPSED_MS,
        session: sessions,
      })
      .from(runs)
      .innerJoin(sessions, eq(sessions.id, runs.session))
      .where(eq(runs.runId, runId));
    if (!row) throw new Error(`run ${runId} is not there any more`);
    return {
      effectiveLimits: row.effectiveLimits,
      cancelRequested: row.cancelRequestedAt !== null,
      ended: row.endedAt !== null,
      deadlineAt: row.deadlineAt,
      remainingMs: row.remainingMs,
      elapsedMs: row.elapsedMs,
      session: { budget: row.session.budget, totals: sessionTotals(row.session) },
    };
  }

  /**
   * Takes a run that is due to be ended from outside: at once when it was cancelled and nobody is at work on
   * it or when the queue has lost it too often, else after the grace that its holder has. A new enqueue number makes every delivery under way stale,
   * the one of a parent that still waits for its tools included.
   */
  async takeToSettle(runId: string, worker: string): Promise<Settling> {
    return this.connection.transaction(async (tx): Promise<Settling> => {
      const [before] = await tx
        .select({
          status: runs.status,
          cancelRequestedAt: runs.cancelRequestedAt,
          enqueueNumber: runs.enqueueNumber,
          dueInMs: DUE_IN_MS,
        })
        .from(runs)
        .where(and(eq(runs.runId, runId), isNull(runs.endedAt)))
        .for('update');
      if (!before) return { type: 'ended' };
      const { status, enqueueNumber, dueInMs } = before;
      if (dueInMs === null || dueInMs > 0) {
        const next = status === 'queued' && enqueueNumber > 0 ? { runId, enqueueNumber } : null;
        return { type: 'not-due', inMs: isLongWait(status, dueInMs) ? null : dueInMs, next };
      }
      if (status === 'waiting_approval' && before.cancelRequestedAt === null) {
        return { type: 'lapsed', next: await lapse(tx, runId) };
      }
      const [run] = await tx
        .update(runs)
        .set({
          status: 'running',
          attempt: sql`${runs.attempt} + 1`,
          enqueueNumber: sql`${runs.enqueueNumber} + 1`,
          claimedBy: worker,
          claimedAt: sql`now()`,
          ...WAIT_IS_OVER,
        })
        .where(eq(runs.runId, runId))
        .returning();
      if (!run) throw new Error('a locked row can be updated');
      return {
        type: 'taken',
        claimed: {
          claim: { runId, attempt: run.attempt },
          run,
          session: await sessionOf(tx, run),
          takenOver: status === 'running',
          ...(await timesOf(tx, runId)),
        },
      };
    });
  }

  /**
   * Changes the limits of an unfinished run; nothing when it has ended. `change` judges the row, which is
   * locked meanwhile, so that two changes at once both hold. The deadline moves by as much as the limit.
   */
  async changeLimits(
    runId: string,
    change: (run: RunRow) => LimitsUpdate,
  ): Promise<{ readonly run: RunRow; readonly changed: boolean } | undefined> {
    return this.connection.transaction(async (tx) => {
      const [run] = await tx
        .select()
        .from(runs)
        .where(and(eq(runs.runId, runId), isNull(runs.endedAt)))
        .for('update');
      if (!run) return undefined;
      const { effective, maxSeconds, by, changes } = change(run);
      if (Object.keys(changes).length === 0) return { run, changed: false };
      const audit: LimitsChange = { at: new Date().toISOString(), by, changes };
      const [changed] = await tx
        .update(runs)
        .set({
          effectiveLimits: effective,
          maxSeconds,
          deadlineAt: sql`${runs.deadlineAt} + ${maxSeconds - run.maxSeconds} * interval '1 second'`,
          limitChanges: [...run.limitChanges, audit],
        })
        .where(eq(runs.runId, runId))
        .returning();
      if (!changed) throw new Error('a locked row can be updated');
      return { run: changed, changed: true };
    });
  }
}

/**
 * The end of a wait for a person has an order of its own, which may only come a moment early. Another one that
 * stayed for so long would stand in the way of a cancel, which has the same id.
 */
function isLongWait(status: RunStatus, dueInMs: number | null): boolean {
  return status === 'waiting_approval' && dueInMs !== null && dueInMs > SETTLE_GRACE_MS;
}

const milliseconds = (interval: ReturnType<typeof sql>) =>
  sql<number>`(extract(epoch FROM ${interval}) * 1000)::float8`;

const REMAINING_MS = milliseconds(
  sql`coalesce(${runs.deadlineAt} - now(), ${runs.maxSeconds} * interval '1 second')`,
);
const ELAPSED_MS = milliseconds(
  sql`coalesce(now() - ${runs.startedAt} - ${runs.waitedMs} * interval '1 millisecond', interval '0')`,
);

/**
 * A cancel waits for a worker that holds the run, a deadline in any case for those that keep to it, and a run
 * that the queue has lost too often for nobody. While the run waits for a person, its deadline stands still and
 * the end of that wait is what is due.
 */
const DUE_IN_MS = sql<number | null>`(extract(epoch FROM least(
  CASE WHEN ${runs.redeliveries} > ${sql.raw(String(MAX_REDELIVERIES))} THEN now() END,
  ${runs.cancelRequestedAt} + CASE WHEN ${runs.status} = 'running' THEN ${SETTLE_GRACE} ELSE interval '0' END,
  CASE WHEN ${runs.status} = 'waiting_approval' THEN ${runs.approvalExpiresAt} ELSE ${runs.deadlineAt} + ${SETTLE_GRACE} END
) - now()) * 1000)::float8`;

async function timesOf(tx: Queryable, runId: string) {
  const [times] = await tx
    .select({ elapsedMs: ELAPSED_MS, remainingMs: REMAINING_MS })
    .from(runs)
    .where(eq(runs.runId, runId));
  if (!times) throw new Error('a locked row can be read');
  return times;
}

async function sessionOf(tx: Queryable, run: RunRow) {
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, run.session));
  if (!session) throw new Error('a run has a session');
  return session;
}
