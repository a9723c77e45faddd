import { isBaseMessage, type BaseMessage } from '@langchain/core/messages';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { checkpointer, threadId } from '../checkpointer/checkpointer';
import type { Connection } from '../database';
import { sessions } from '../schema';
import { SessionNotFoundError } from './open-session';

/** What a session's newest checkpoint holds of the talk itself. */
export interface Conversation {
  readonly messages: readonly BaseMessage[];
  /** Of what has fallen out of the model's window, where one was made. */
  readonly summary: string | undefined;
}

const checkpointValues = z.looseObject({
  messages: z.array(z.unknown()).default([]),
  summary: z.looseObject({ text: z.string() }).nullish(),
});

/** Reads conversations outside any run. */
export class ConversationsRepository {
  constructor(private readonly connection: Connection) {}

  /**
   * The conversation of a session; an empty one where there is none yet, and nothing is made for it. Rejects with
   * SessionNotFoundError if the session is another user's.
   */
  async find(key: { projectId: string; userId: string; sessionId: string }): Promise<Conversation> {
    const [session] = await this.connection.db
      .select({ id: sessions.id, userId: sessions.userId })
      .from(sessions)
      .where(and(eq(sessions.projectId, key.projectId), eq(sessions.sessionId, key.sessionId)));
    if (!session) return NONE;
    if (session.userId !== key.userId) throw new SessionNotFoundError(key.sessionId);
    const config = { configurable: { thread_id: threadId(session.id) } };
    const tuple = await checkpointer(this.connection.pool).getTuple(config);
    const values = checkpointValues.safeParse(tuple?.checkpoint.channel_values);
    if (!values.success) return NONE;
    return { messages: values.data.messages.filter(isBaseMessage), summary: values.data.summary?.text };
  }
}

const NONE: Conversation = { messages: [], summary: undefined };
