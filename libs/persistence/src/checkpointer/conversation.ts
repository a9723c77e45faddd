import {
  isAIMessage,
  isBaseMessage,
  isHumanMessage,
  isToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { Queryable } from '../transaction';
import { checkpointer, SCHEMA, threadId } from './checkpointer';

/** A message of a conversation in plain terms; LangChain's classes stay behind this file. */
export interface ConversationMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'system' | 'tool';
  /** Content that a provider gave in blocks is joined. */
  readonly text: string;
  /** Of a tool's result: the tool, and the call that it answers. */
  readonly name: string | null;
  readonly toolCallId: string | null;
  readonly toolCalls: readonly {
    readonly id: string;
    readonly name: string;
    readonly args: Record<string, unknown>;
  }[];
  /** Null where the conversation does not say. */
  readonly createdAt: Date | null;
}

const timeSchema = z.object({ created_at: z.iso.datetime() });

/** What a session's newest checkpoint holds of the talk itself. */
export interface Conversation {
  readonly messages: readonly BaseMessage[];
  /** Of what has fallen out of the model's window, where one was made. */
  readonly summary: string | undefined;
}

export const NO_CONVERSATION: Conversation = { messages: [], summary: undefined };

const checkpointValues = z.looseObject({
  messages: z.array(z.unknown()).default([]),
  summary: z.looseObject({ text: z.string() }).nullish(),
});

/** Empty before the first step of the session's first run. */
export async function readConversation(pool: Pool, session: number): Promise<Conversation> {
  const tuple = await checkpointer(pool).getTuple({ configurable: { thread_id: threadId(session) } });
  const values = checkpointValues.safeParse(tuple?.checkpoint.channel_values);
  if (!values.success) return NO_CONVERSATION;
  return { messages: values.data.messages.filter(isBaseMessage), summary: values.data.summary?.text };
}

export function plainMessage(message: BaseMessage): ConversationMessage {
  const time = timeSchema.safeParse(message.additional_kwargs);
  return {
    id: message.id ?? '',
    role: roleOf(message),
    text: message.text,
    name: message.name ?? null,
    toolCallId: isToolMessage(message) ? message.tool_call_id : null,
    toolCalls: isAIMessage(message)
      ? (message.tool_calls ?? []).map(({ id = '', name, args }) => ({ id, name, args }))
      : [],
    createdAt: time.success ? new Date(time.data.created_at) : null,
  };
}

function roleOf(message: BaseMessage): ConversationMessage['role'] {
  if (isHumanMessage(message)) return 'user';
  if (isToolMessage(message)) return 'tool';
  return isAIMessage(message) ? 'assistant' : 'system';
}

const TABLES = ['checkpoint_writes', 'checkpoint_blobs', 'checkpoints'] as const;

const table = (name: (typeof TABLES)[number]) => sql`${sql.identifier(SCHEMA)}.${sql.identifier(name)}`;

/** Deletes all checkpoints of a session, in the transaction that deletes the session. */
export async function deleteConversation(tx: Queryable, session: number): Promise<void> {
  for (const name of TABLES) {
    await tx.execute(sql`DELETE FROM ${table(name)} WHERE thread_id = ${threadId(session)}`);
  }
}

/**
 * Deletes what a session's newest checkpoint does not need: LangGraph goes on from that one alone, with its own
 * values and writes. One statement, so that it sees a checkpoint with all that belongs to it or not at all, and may
 * run beside a run that goes on: what is newer stays.
 */
export async function pruneConversation(db: Queryable, session: number): Promise<void> {
  const thread = threadId(session);
  await db.execute(sql`
    WITH newest AS MATERIALIZED (
      SELECT DISTINCT ON (checkpoint_ns) checkpoint_ns, checkpoint_id, checkpoint -> 'channel_versions' AS versions
      FROM ${table('checkpoints')} WHERE thread_id = ${thread} ORDER BY checkpoint_ns, checkpoint_id DESC
    ), old_writes AS (
      DELETE FROM ${table('checkpoint_writes')} AS w USING newest
      WHERE w.thread_id = ${thread} AND w.checkpoint_ns = newest.checkpoint_ns
        AND w.checkpoint_id < newest.checkpoint_id
    ), old_blobs AS (
      DELETE FROM ${table('checkpoint_blobs')} AS b USING newest
      WHERE b.thread_id = ${thread} AND b.checkpoint_ns = newest.checkpoint_ns
        AND newest.versions ->> b.channel IS DISTINCT FROM b.version
    )
    DELETE FROM ${table('checkpoints')} AS c USING newest
    WHERE c.thread_id = ${thread} AND c.checkpoint_ns = newest.checkpoint_ns
      AND c.checkpoint_id < newest.checkpoint_id`);
}
