import { and, eq } from 'drizzle-orm';
import {
  NO_CONVERSATION,
  plainMessage,
  pruneConversation,
  readConversation,
  type Conversation,
  type ConversationMessage,
} from '../checkpointer/conversation';
import type { Connection } from '../database';
import { sessions, type RunRow } from '../schema';
import { SessionNotFoundError } from './open-session';
import type { SessionKey } from './session-key';

/** Reads conversations outside any run. */
export class ConversationsRepository {
  constructor(private readonly connection: Connection) {}

  /**
   * The conversation of a session; an empty one where there is none yet, and nothing is made for it. Rejects with
   * SessionNotFoundError if the session is another user's.
   */
  async find(key: SessionKey): Promise<Conversation> {
    const [session] = await this.connection.db
      .select({ id: sessions.id, userId: sessions.userId })
      .from(sessions)
      .where(and(eq(sessions.projectId, key.projectId), eq(sessions.sessionId, key.sessionId)));
    if (!session) return NO_CONVERSATION;
    if (session.userId !== key.userId) throw new SessionNotFoundError(key.sessionId);
    return readConversation(this.connection.pool, session.id);
  }

  /** Deletes the checkpoints that nobody will read any more; to be done when a run has ended. */
  prune(session: number): Promise<void> {
    return pruneConversation(this.connection.db, session);
  }

  /** What a run has added to its session's conversation after its own message; nothing if it never came to that. */
  async ofRun({ session, runId }: Pick<RunRow, 'session' | 'runId'>): Promise<ConversationMessage[]> {
    const { messages } = await readConversation(this.connection.pool, session);
    const plain = messages.map(plainMessage);
    const begin = plain.findIndex(({ id }) => id === runId) + 1;
    if (begin === 0) return [];
    const length = plain.slice(begin).findIndex(({ role }) => role === 'user');
    return plain.slice(begin, length === -1 ? undefined : begin + length);
  }
}
