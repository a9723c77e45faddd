import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import {
  deleteConversation,
  plainMessage,
  readConversation,
  type ConversationMessage,
} from '../checkpointer/conversation';
import type { Connection } from '../database';
import { runs, sessions, toolCalls, type RunRow, type SessionRow } from '../schema';
import { storableText } from '../storable-text';
import { SessionNotFoundError } from './open-session';
import { isSession, type SessionKey } from './session-key';

/** A run's own message, for a conversation that has not come to it or never will. */
export type RunMessage = Pick<RunRow, 'runId' | 'message' | 'createdAt' | 'endedAt'>;

export interface SessionHistory {
  readonly session: SessionRow;
  readonly conversation: readonly ConversationMessage[];
  /** In the order of the session's line. */
  readonly runs: readonly RunMessage[];
  readonly toolResults: readonly {
    readonly runId: string;
    readonly callId: string;
    readonly endedAt: Date | null;
  }[];
}

const MAX_LISTED = 100;

export class SessionsRepository {
  constructor(private readonly connection: Connection) {}

  /** The newest hundred, pinned ones first. */
  async list(
    owner: Pick<SessionKey, 'projectId' | 'userId'>,
    copilotMode: string | undefined,
  ): Promise<SessionRow[]> {
    return this.connection.db
      .select()
      .from(sessions)
      .where(
        and(
          eq(sessions.projectId, owner.projectId),
          eq(sessions.userId, owner.userId),
          copilotMode === undefined ? undefined : eq(sessions.copilotMode, copilotMode),
        ),
      )
      .orderBy(desc(sessions.pinned), desc(sessions.updatedAt), desc(sessions.id))
      .limit(MAX_LISTED);
  }

  async find(key: SessionKey): Promise<SessionRow | undefined> {
    const [row] = await this.connection.db.select().from(sessions).where(isSession(key));
    return row;
  }

  /** The newest runs of a session, newest first. Rejects with SessionNotFoundError. */
  async runs(key: SessionKey, limit: number): Promise<RunRow[]> {
    const session = await this.find(key);
    if (!session) throw new SessionNotFoundError(key.sessionId);
    return this.connection.db
      .select()
      .from(runs)
      .where(eq(runs.session, session.id))
      .orderBy(desc(runs.sequence))
      .limit(limit);
  }

  /** Everything that the history is made of. Nothing for an unknown session. */
  async history(key: SessionKey): Promise<SessionHistory | undefined> {
    const session = await this.find(key);
    if (!session) return undefined;
    const [conversation, runRows, toolResults] = await Promise.all([
      readConversation(this.connection.pool, session.id),
      this.connection.db
        .select({
          runId: runs.runId,
          message: runs.message,
          createdAt: runs.createdAt,
          endedAt: runs.endedAt,
        })
        .from(runs)
        .where(eq(runs.session, session.id))
        .orderBy(runs.sequence),
      this.connection.db
        .select({ runId: toolCalls.runId, callId: toolCalls.callId, endedAt: toolCalls.endedAt })
        .from(toolCalls)
        .innerJoin(runs, eq(runs.runId, toolCalls.runId))
        .where(eq(runs.session, session.id)),
    ]);
    return { session, conversation: conversation.messages.map(plainMessage), runs: runRows, toolResults };
  }

  /** Ids of the session's runs that have not ended, the last in line first; none for an unknown session. */
  async unfinishedRuns(key: SessionKey): Promise<string[]> {
    const rows = await this.connection.db
      .select({ runId: runs.runId })
      .from(runs)
      .innerJoin(sessions, eq(sessions.id, runs.session))
      .where(and(isSession(key), isNull(runs.endedAt)))
      .orderBy(desc(runs.sequence));
    return rows.map(({ runId }) => runId);
  }

  /** A title that a person chose stays: no later run replaces it. Rejects with SessionNotFoundError. */
  rename(key: SessionKey, title: string): Promise<SessionRow> {
    return this.change(key, { title: storableText(title), titleSource: 'user' });
  }

  /** Rejects with SessionNotFoundError. */
  pin(key: SessionKey, pinned: boolean): Promise<SessionRow> {
    return this.change(key, { pinned });
  }

  /**
   * Deletes the session with its runs, their tool calls and its checkpoints. `forgetLogs` is for what is kept
   * elsewhere about the runs: if it fails nothing is deleted, so that the caller can ask again. Workers that
   * still have one of the runs find their claim gone and write nothing more. Rejects with SessionNotFoundError.
   */
  async delete(key: SessionKey, forgetLogs: (runs: readonly RunMessage[]) => Promise<void>): Promise<void> {
    await this.connection.transaction(async (tx) => {
      const [session] = await tx
        .select({ id: sessions.id })
        .from(sessions)
        .where(isSession(key))
        .for('update');
      if (!session) throw new SessionNotFoundError(key.sessionId);
      // The runs first: a checkpoint is written under a lock on its run's row, so none comes after this.
      const deleted = await tx.delete(runs).where(eq(runs.session, session.id)).returning({
        runId: runs.runId,
        message: runs.message,
        createdAt: runs.createdAt,
        endedAt: runs.endedAt,
      });
      await deleteConversation(tx, session.id);
      await tx.delete(sessions).where(eq(sessions.id, session.id));
      await forgetLogs(deleted);
    });
  }

  private async change(
    key: SessionKey,
    changes: Partial<Pick<SessionRow, 'title' | 'titleSource' | 'pinned'>>,
  ): Promise<SessionRow> {
    const [row] = await this.connection.db
      .update(sessions)
      .set({ ...changes, updatedAt: sql`now()` })
      .where(isSession(key))
      .returning();
    if (!row) throw new SessionNotFoundError(key.sessionId);
    return row;
  }
}
