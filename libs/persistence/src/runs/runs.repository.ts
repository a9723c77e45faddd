import type { EndedRunStatus, RunErrorCode, StopReason, Usage } from '@copilot/contracts';
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { assertClaim, ClaimLostError, type Claim } from '../claim';
import type { Connection } from '../database';
import type { Queryable } from '../transaction';
import { runs, sessions, type RunRow, type SessionRow } from '../schema';
import { lockSessionOf } from '../sessions/lock-session';
import { storableText } from '../storable-text';
import { positionInLine } from './position-in-line';

export interface LimitStep {
  readonly limit: string;
  readonly from: number | null;
  readonly to: number | null;
}

export interface ClaimedRun {
  readonly claim: Claim;
  readonly run: RunRow;
  readonly session: SessionRow;
  /** The former claim was not released in order: its worker died or lost the run. */
  readonly takenOver: boolean;
  /** By the database's clock at the claim, so that workers whose clocks differ agree. */
  readonly elapsedMs: number;
  readonly remainingMs: number;
}

export interface RunOutcome {
  readonly status: EndedRunStatus;
  readonly stopReason: StopReason;
  readonly error?: { readonly code: RunErrorCode; readonly message: string };
  readonly usage: Usage;
  /** For a session that has no title yet. */
  readonly title?: string;
  /** Messages that the run added to the conversation, the user's own included. */
  readonly messages: number;
}

/** A run that is to be enqueued under this number. */
export interface Enqueueing {
  readonly runId: string;
  readonly enqueueNumber: number;
}

export class RunsRepository {
  constructor(private readonly connection: Connection) {}

  async find(runId: string): Promise<RunRow | undefined> {
    const [row] = await this.connection.db.select().from(runs).where(eq(runs.runId, runId));
    return row;
  }

  /** How the run stands or has ended, without what it is about; for those who ask often. */
  async findEnd(
    runId: string,
  ): Promise<Pick<RunRow, 'status' | 'stopReason' | 'errorCode' | 'errorMessage' | 'usage'> | undefined> {
    const [row] = await this.connection.db
      .select({
        status: runs.status,
        stopReason: runs.stopReason,
        errorCode: runs.errorCode,
        errorMessage: runs.errorMessage,
        usage: runs.usage,
      })
      .from(runs)
      .where(eq(runs.runId, runId));
    return row;
  }

  /** The run with its session, if it is the caller's and of that project. */
  async findOwned(
    runId: string,
    owner: { projectId: string; userId: string },
  ): Promise<{ run: RunRow; session: SessionRow } | undefined> {
    const [row] = await this.connection.db
      .select({ run: runs, session: sessions })
      .from(runs)
      .innerJoin(sessions, eq(sessions.id, runs.session))
      .where(and(eq(runs.runId, runId), eq(runs.projectId, owner.projectId), eq(runs.userId, owner.userId)));
    return row;
  }

  /** What the newest ended runs of a user with a model have used, those without a model call left out. */
  async usageOfPast(owner: { userId: string; model: string }, limit: number): Promise<Usage[]> {
    const rows = await this.connection.db
      .select({ usage: runs.usage })
      .from(runs)
      .where(
        and(
          eq(runs.userId, owner.userId),
          eq(runs.model, storableText(owner.model)),
          isNotNull(runs.endedAt),
          sql`(${runs.usage}->>'llm_calls')::int > 0`,
        ),
      )
      .orderBy(desc(runs.sequence))
      .limit(limit);
    return rows.flatMap(({ usage }) => (usage ? [usage] : []));
  }

  /** Unfinished runs before it on its session, at this moment. */
  positionInLine(run: Pick<RunRow, 'session' | 'sequence'>): Promise<number> {
    return positionInLine(this.connection.db, run);
  }

  /**
   * Takes the run for a worker: raises its attempt. Nothing when it has ended, is unknown, waits for a person,
   * or the delivery is of an older enqueueing.
   */
  async claim({ runId, enqueueNumber }: Enqueueing, worker: string): Promise<ClaimedRun | undefined> {
    return this.connection.transaction(async (tx) => {
      const [before] = await tx
        .select({ status: runs.status, enqueueNumber: runs.enqueueNumber })
        .from(runs)
        .where(and(eq(runs.runId, runId), isNull(runs.endedAt)))
        .for('update');
      if (!before || before.enqueueNumber !== enqueueNumber) return undefined;
      // The delivery of a worker that died right after it had let the run wait for a person.
      if (before.status === 'waiting_approval') return undefined;
      const [run] = await tx
        .update(runs)
        .set({
          status: 'running',
          attempt: sql`${runs.attempt} + 1`,
          claimedBy: worker,
          claimedAt: sql`now()`,
          startedAt: sql`coalesce(${runs.startedAt}, now())`,
          deadlineAt: sql`coalesce(${runs.deadlineAt}, now() + ${runs.maxSeconds} * interval '1 second')`,
        })
        .where(eq(runs.runId, runId))
        .returning();
      if (!run) throw new Error('a locked row can be updated');
      const [session] = await tx.select().from(sessions).where(eq(sessions.id, run.session));
      if (!session) throw new Error('a run has a session');
      return {
        claim: { runId, attempt: run.attempt },
        run,
        session,
        takenOver: before.status === 'running',
        ...timesOf(run),
      };
    });
  }

  /** Gives the claim up in order: the run waits for its tools, with what it has used so far, or for a worker. */
  async release(claim: Claim, status: 'queued'): Promise<void>;
  async release(claim: Claim, status: 'waiting_tools', usage: Usage): Promise<void>;
  async release(claim: Claim, status: 'queued' | 'waiting_tools', usage?: Usage): Promise<void> {
    const released = await this.connection.db
      .update(runs)
      .set({ status, claimedBy: null, claimedAt: null, ...(usage ? { usage } : {}) })
      .where(held(claim))
      .returning({ runId: runs.runId });
    if (released.length === 0) throw new ClaimLostError(claim);
  }

  /**
   * Brings the effective limits up to what the run's worker has chosen. A limit that is not at `from` any more,
   * because this was done before or somebody has changed it since, is left alone. Resolves with what holds now.
   */
  async adjustLimits(claim: Claim, changes: readonly LimitStep[]): Promise<Record<string, unknown>> {
    return this.connection.transaction(async (tx) => {
      const [run] = await tx
        .select({ limits: runs.effectiveLimits })
        .from(runs)
        .where(held(claim))
        .for('update');
      if (!run) throw new ClaimLostError(claim);
      const due = changes.filter(({ limit, from }) => (run.limits[limit] ?? null) === from);
      const adjusted = Object.fromEntries(due.map(({ limit, to }) => [limit, to]));
      const effectiveLimits = { ...run.limits, ...adjusted };
      await tx.update(runs).set({ effectiveLimits }).where(eq(runs.runId, claim.runId));
      return effectiveLimits;
    });
  }

  /** Ends the run and brings its session up to date, in one transaction. */
  async finish(claim: Claim, outcome: RunOutcome): Promise<void> {
    await this.connection.transaction(async (tx) => {
      await lockSessionOf(tx, claim.runId);
      await assertClaim(tx, claim);
      const [run] = await tx
        .update(runs)
        .set({
          status: outcome.status,
          stopReason: outcome.stopReason,
          errorCode: outcome.error?.code ?? null,
          errorMessage: outcome.error ? storableText(outcome.error.message) : null,
          usage: outcome.usage,
          endedAt: sql`now()`,
          claimedBy: null,
          claimedAt: null,
        })
        .where(eq(runs.runId, claim.runId))
        .returning();
      if (run) await updateSession(tx, run.session, outcome);
    });
  }

  /**
   * The run that a session's line has come to, marked as enqueued. Adding its job again is harmless, so
   * whoever ends a run asks this, also when it finds that another did.
   */
  async headOfLine(session: number): Promise<Enqueueing | undefined> {
    return this.connection.transaction(async (tx) => {
      // Against a message that is being accepted and counts the line at this moment.
      await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, session)).for('update');
      const [head] = await tx
        .select({ runId: runs.runId, status: runs.status, enqueueNumber: runs.enqueueNumber })
        .from(runs)
        .where(and(eq(runs.session, session), isNull(runs.endedAt)))
        .orderBy(runs.sequence)
        .limit(1);
      if (head?.status !== 'queued') return undefined;
      if (head.enqueueNumber > 0) return head;
      await tx.update(runs).set({ enqueueNumber: 1 }).where(eq(runs.runId, head.runId));
      return { runId: head.runId, enqueueNumber: 1 };
    });
  }
}

function timesOf({ claimedAt, startedAt, deadlineAt, waitedMs }: RunRow) {
  if (!claimedAt || !startedAt || !deadlineAt) throw new Error('a claim sets the times of its run');
  return {
    elapsedMs: claimedAt.getTime() - startedAt.getTime() - waitedMs,
    remainingMs: deadlineAt.getTime() - claimedAt.getTime(),
  };
}

function held(claim: Claim) {
  return and(eq(runs.runId, claim.runId), eq(runs.attempt, claim.attempt), eq(runs.status, 'running'));
}

async function updateSession(tx: Queryable, session: number, outcome: RunOutcome): Promise<void> {
  const { usage, title } = outcome;
  await tx
    .update(sessions)
    .set({
      messageCount: sql`${sessions.messageCount} + ${outcome.messages}`,
      llmCallsCount: sql`${sessions.llmCallsCount} + ${usage.llm_calls}`,
      inputTokens: sql`${sessions.inputTokens} + ${usage.input_tokens}`,
      outputTokens: sql`${sessions.outputTokens} + ${usage.output_tokens}`,
      toolCallsCount: sql`${sessions.toolCallsCount} + ${usage.tool_calls}`,
      cost: sql`${sessions.cost} + ${String(usage.cost?.amount ?? 0)}::numeric`,
      lastMessageAt: sql`now()`,
      updatedAt: sql`now()`,
    })
    .where(eq(sessions.id, session));
  if (title === undefined) return;
  await tx
    .update(sessions)
    .set({ title: storableText(title), titleSource: 'generated' })
    .where(and(eq(sessions.id, session), eq(sessions.titleSource, 'default')));
}
