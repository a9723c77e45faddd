import { and, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { assertClaim, type Claim } from '../claim';
import type { Connection } from '../database';
import { runs, toolCalls, type RunRow, type ToolCallRow, type ToolCallStatus } from '../schema';
import { storableText } from '../storable-text';

export type EndedToolCallStatus = Exclude<ToolCallStatus, 'pending' | 'running'>;

export interface NewToolCall {
  readonly callId: string;
  readonly iteration: number;
  readonly position: number;
  readonly name: string;
  readonly arguments: string;
  /** A call that is not to run has its result from the start. */
  readonly refusal?: string;
  /** A person has to approve it before it may run. */
  readonly approval?: 'pending';
}

export interface ClaimedToolCall {
  readonly call: ToolCallRow;
  readonly run: RunRow;
  /** A former worker had started it and is gone: it may or may not have taken effect. */
  readonly startedBefore: boolean;
  /** Until the run's deadline, by the database's clock at the claim; whole, as timers want it. */
  readonly remainingMs: number;
}

export class ToolCallsRepository {
  constructor(private readonly connection: Connection) {}

  /** Inserts the calls of one iteration; those that are there already, from before a crash, stay. */
  async add(claim: Claim, calls: readonly NewToolCall[]): Promise<void> {
    if (calls.length === 0) return;
    await this.connection.transaction(async (tx) => {
      await assertClaim(tx, claim);
      await tx
        .insert(toolCalls)
        .values(
          calls.map(({ refusal, ...call }) => ({
            ...call,
            runId: claim.runId,
            name: storableText(call.name),
            arguments: storableText(call.arguments),
            ...(refusal === undefined
              ? {}
              : { status: 'refused' as const, output: storableText(refusal), endedAt: sql`now()` }),
          })),
        )
        .onConflictDoNothing();
    });
  }

  /** The calls of an iteration in the order in which the model listed them. */
  async ofIteration(runId: string, iteration: number): Promise<ToolCallRow[]> {
    return this.connection.db
      .select()
      .from(toolCalls)
      .where(and(eq(toolCalls.runId, runId), eq(toolCalls.iteration, iteration)))
      .orderBy(toolCalls.position);
  }

  async find(runId: string, callId: string): Promise<ToolCallRow | undefined> {
    const [row] = await this.connection.db
      .select()
      .from(toolCalls)
      .where(and(eq(toolCalls.runId, runId), eq(toolCalls.callId, callId)));
    return row;
  }

  /** The newest call of that id in a session: a provider's ids are its own to repeat. */
  async findInSession(session: number, callId: string): Promise<ToolCallRow | undefined> {
    const [row] = await this.connection.db
      .select({ call: toolCalls })
      .from(toolCalls)
      .innerJoin(runs, eq(runs.runId, toolCalls.runId))
      .where(and(eq(runs.session, session), eq(toolCalls.callId, callId)))
      .orderBy(desc(runs.sequence))
      .limit(1);
    return row?.call;
  }

  async ofRun(runId: string): Promise<ToolCallRow[]> {
    return this.connection.db
      .select()
      .from(toolCalls)
      .where(eq(toolCalls.runId, runId))
      .orderBy(toolCalls.iteration, toolCalls.position);
  }

  /**
   * Takes a call for a tool worker. Nothing when it has a result or its run has ended, or when it needs the approval
   * of a person and has none, whatever job asks for it.
   */
  async claim(runId: string, callId: string): Promise<ClaimedToolCall | undefined> {
    return this.connection.transaction(async (tx) => {
      const [before] = await tx
        .select({
          status: toolCalls.status,
          run: runs,
          remainingMs: sql<number>`ceil(extract(epoch FROM coalesce(${runs.deadlineAt} - now(), ${runs.maxSeconds} * interval '1 second')) * 1000)::float8`,
        })
        .from(toolCalls)
        .innerJoin(runs, eq(runs.runId, toolCalls.runId))
        .where(
          and(
            eq(toolCalls.runId, runId),
            eq(toolCalls.callId, callId),
            inArray(toolCalls.status, ['pending', 'running']),
            or(isNull(toolCalls.approval), eq(toolCalls.approval, 'approved')),
          ),
        )
        .for('update', { of: toolCalls });
      if (!before || before.run.endedAt !== null) return undefined;
      const [call] = await tx
        .update(toolCalls)
        .set({
          status: 'running',
          attempt: sql`${toolCalls.attempt} + 1`,
          startedAt: sql`coalesce(${toolCalls.startedAt}, now())`,
        })
        .where(and(eq(toolCalls.runId, runId), eq(toolCalls.callId, callId)))
        .returning();
      if (!call) throw new Error('a locked row can be updated');
      const { run, remainingMs } = before;
      return { call, run, startedBefore: before.status === 'running', remainingMs };
    });
  }

  /**
   * Gives every call of the run that has no result one, since the run ends now. Whoever still executes one
   * has lost it: its result is not stored any more.
   */
  async closeOpen(
    claim: Claim,
    output: { readonly skipped: (callId: string) => string; readonly stopped: string },
  ): Promise<void> {
    await this.connection.transaction(async (tx) => {
      await assertClaim(tx, claim);
      const open = await tx
        .select({ callId: toolCalls.callId, status: toolCalls.status })
        .from(toolCalls)
        .where(and(eq(toolCalls.runId, claim.runId), inArray(toolCalls.status, ['pending', 'running'])))
        .for('update');
      for (const { callId, status } of open) {
        await tx
          .update(toolCalls)
          .set({
            ...(status === 'pending'
              ? { status: 'skipped' as const, output: output.skipped(callId) }
              : { status: 'unknown' as const, output: output.stopped }),
            approval: sql`CASE WHEN ${toolCalls.approval} = 'pending' THEN 'withdrawn' ELSE ${toolCalls.approval} END`,
            endedAt: sql`now()`,
          })
          .where(and(eq(toolCalls.runId, claim.runId), eq(toolCalls.callId, callId)));
      }
    });
  }

  /** Stores a call's result. False: another worker has taken the call since. */
  async finish(
    call: Pick<ToolCallRow, 'runId' | 'callId' | 'attempt'>,
    result: { status: EndedToolCallStatus; output: string; retries: number },
  ): Promise<boolean> {
    const stored = await this.connection.db
      .update(toolCalls)
      .set({
        status: result.status,
        output: storableText(result.output),
        retries: result.retries,
        endedAt: sql`now()`,
      })
      .where(
        and(
          eq(toolCalls.runId, call.runId),
          eq(toolCalls.callId, call.callId),
          eq(toolCalls.attempt, call.attempt),
          eq(toolCalls.status, 'running'),
        ),
      )
      .returning({ callId: toolCalls.callId });
    return stored.length === 1;
  }
}
