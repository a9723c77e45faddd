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

/** The whole conversation as its newest checkpoint has it; empty before the first step of its first run. */
export async function readConversation(pool: Pool, session: number): Promise<ConversationMessage[]> {
  const tuple = await checkpointer(pool).getTuple({ configurable: { thread_id: threadId(session) } });
  const messages: unknown = tuple?.checkpoint.channel_values['messages'];
  return Array.isArray(messages) ? messages.filter(isBaseMessage).map(plainMessage) : [];
}

function plainMessage(message: BaseMessage): ConversationMessage {
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

/** Deletes all checkpoints of a session, in the transaction that deletes the session. */
export async function deleteConversation(tx: Queryable, session: number): Promise<void> {
  for (const table of TABLES) {
    await tx.execute(
      sql`DELETE FROM ${sql.identifier(SCHEMA)}.${sql.identifier(table)} WHERE thread_id = ${threadId(session)}`,
    );
  }
}
