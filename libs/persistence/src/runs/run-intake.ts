import { randomUUID } from 'node:crypto';
import type { ApprovalPolicy, ModelPrices, MultitaskStrategy } from '@copilot/contracts';
import { and, eq, sql } from 'drizzle-orm';
import type { Connection } from '../database';
import { runs, sessions, type RunRow, type SessionRow } from '../schema';
import { lockSessionOf } from '../sessions/lock-session';
import { openSession } from '../sessions/open-session';
import { assertBudget } from '../sessions/session-totals';
import { storableText } from '../storable-text';
import { IdempotencyConflictError, isKeyTaken, type Idempotency } from './idempotency';
import { placeInLine, SessionBusyError, type Place } from './multitask';
import { positionInLine } from './position-in-line';
import type { RunTokens } from './run-tokens';

export interface NewRun {
  readonly projectId: string;
  readonly userId: string;
  /** The client's id of the session; a new session is made for an unknown one. */
  readonly sessionId: string;
  readonly message: string;
  readonly copilotMode: string;
  readonly modelConfigId: string;
  /** The model's name, and its prices where its config has them. */
  readonly model: string;
  readonly prices: ModelPrices | null;
  readonly limits: RunLimits;
  readonly approval: ApprovalRules;
  readonly multitaskStrategy: MultitaskStrategy;
  /** Under which a caller may send the same request again without a second run. */
  readonly idempotency?: Idempotency | undefined;
  /** With which the run acts on the lab; left out, the service's own login does. */
  readonly gns3Token?: string | undefined;
}

/** Plain JSON here; what is in them is the business of `libs/limits`. */
export interface RunLimits {
  readonly requested: Record<string, unknown>;
  readonly effective: Record<string, unknown>;
  /** After which the run's work is stopped. */
  readonly maxSeconds: number;
}

/** Which calls of a run a person has to approve, and how long the person may take. */
export interface ApprovalRules {
  readonly policies: readonly ApprovalPolicy[];
  readonly timeoutSeconds: number;
}

/** At `queuePosition` 0 it is to be enqueued now. */
export interface AcceptedRun extends Place {
  readonly run: RunRow;
  readonly session: SessionRow;
  /** It had been accepted before, under the same idempotency key. */
  readonly repeated: boolean;
}

/** Takes messages in as runs, and back where they could not be handed over. */
export class RunIntake {
  constructor(
    private readonly connection: Connection,
    private readonly tokens: RunTokens,
  ) {}

  /**
   * Inserts the run (and its session), once for an idempotency key. Rejects with SessionNotFoundError if the
   * session is another user's, with SessionBudgetError if it has used up one of its budgets, with SessionBusyError
   * if the message was to be refused behind others, and with IdempotencyConflictError if the key came with another
   * request before.
   */
  async accept(input: NewRun): Promise<AcceptedRun> {
    const before = await this.acceptedBefore(input);
    if (before) return before;
    try {
      return await this.insert(input);
    } catch (error) {
      // The same request, sent twice at once: it must not be refused for its own sake.
      const mayBeRepeated = isKeyTaken(error) || error instanceof SessionBusyError;
      const other = mayBeRepeated ? await this.acceptedBefore(input) : undefined;
      if (!other) throw error;
      return other;
    }
  }

  private async acceptedBefore({ idempotency, userId, projectId }: NewRun): Promise<AcceptedRun | undefined> {
    if (!idempotency) return undefined;
    const [found] = await this.connection.db
      .select({ run: runs, session: sessions })
      .from(runs)
      .innerJoin(sessions, eq(sessions.id, runs.session))
      .where(
        and(eq(runs.userId, userId), eq(runs.projectId, projectId), eq(runs.idempotencyKey, idempotency.key)),
      );
    if (!found) return undefined;
    const { run } = found;
    if (run.requestHash !== idempotency.requestHash) throw new IdempotencyConflictError(idempotency.key);
    const queuePosition = run.endedAt ? 0 : await positionInLine(this.connection.db, run);
    return { ...found, queuePosition, interrupted: [], repeated: true };
  }

  private async insert(input: NewRun): Promise<AcceptedRun> {
    return this.connection.transaction(async (tx) => {
      const session = await openSession(tx, input);
      assertBudget(session);
      const place = await placeInLine(tx, session, input.multitaskStrategy);
      const [run] = await tx
        .insert(runs)
        .values({
          runId: randomUUID(),
          session: session.id,
          projectId: input.projectId,
          userId: input.userId,
          labLogin: input.gns3Token === undefined ? 'service' : 'caller',
          message: storableText(input.message),
          idempotencyKey: input.idempotency?.key ?? null,
          requestHash: input.idempotency?.requestHash ?? null,
          copilotMode: input.copilotMode,
          modelConfigId: input.modelConfigId,
          model: storableText(input.model),
          prices: input.prices,
          requestedLimits: input.limits.requested,
          effectiveLimits: input.limits.effective,
          maxSeconds: input.limits.maxSeconds,
          approvalPolicies: [...input.approval.policies],
          approvalTimeoutSeconds: input.approval.timeoutSeconds,
          enqueueNumber: place.queuePosition === 0 ? 1 : 0,
        })
        .returning();
      if (!run) throw new Error('an insert returns its row');
      if (input.gns3Token !== undefined) await this.tokens.store(tx, run.runId, input.gns3Token);
      return { run, session, ...place, repeated: false };
    });
  }

  /**
   * Takes back a run that could not be enqueued, as if it had never been asked for, its session too if it
   * was made for it. False: a worker has it already, since the enqueueing went through after all.
   */
  async withdraw(runId: string): Promise<boolean> {
    return this.connection.transaction(async (tx) => {
      await lockSessionOf(tx, runId);
      const [gone] = await tx
        .delete(runs)
        .where(and(eq(runs.runId, runId), eq(runs.status, 'queued'), eq(runs.attempt, 0)))
        .returning({ session: runs.session });
      if (!gone) return false;
      await tx
        .delete(sessions)
        .where(
          and(
            eq(sessions.id, gone.session),
            eq(sessions.messageCount, 0),
            sql`NOT EXISTS (SELECT 1 FROM runs WHERE runs.session = ${gone.session})`,
          ),
        );
      return true;
    });
  }
}
