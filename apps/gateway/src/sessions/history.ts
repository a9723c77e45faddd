import type { ConversationMessage, RunMessage, SessionHistory } from '@copilot/persistence';
import { naiveUtcOrNull } from '../http/naive-utc';
import type { HistoryMessage, HistoryResource } from './history-resource.dto';

export const NO_HISTORY_TITLE = 'New Conversation';

/** The history of a session that does not exist (yet), which is not an error. */
export function emptyHistory(sessionId: string): HistoryResource {
  return {
    thread_id: sessionId,
    title: NO_HISTORY_TITLE,
    messages: [],
    created_at: null,
    updated_at: null,
    llm_calls: 0,
  };
}

/** The last `limit` messages, 0 = all. */
export function historyResource(history: SessionHistory, limit: number): HistoryResource {
  const messages = historyMessages(history);
  return {
    ...emptyHistory(history.session.sessionId),
    title: history.session.title,
    messages: limit === 0 ? messages : messages.slice(-limit),
    llm_calls: history.session.llmCallsCount,
  };
}

function historyMessages(history: SessionHistory): HistoryMessage[] {
  const times = new Map(
    history.toolResults.map(({ runId, callId, endedAt }) => [`${runId}/${callId}`, endedAt]),
  );
  let latest: Date | null = null;
  return withMissingMessages(history).map((message) => {
    // A message that does not say when it came to be came right after the one before it.
    latest = message.createdAt ?? times.get(message.id) ?? latest;
    return historyMessage(message, naiveUtcOrNull(latest));
  });
}

/**
 * The conversation with the messages of runs that it does not have: those that wait in line, and those that
 * ended before their first step. What a user has sent never vanishes from the history.
 */
function withMissingMessages({ conversation, runs }: SessionHistory): ConversationMessage[] {
  const present = new Set(conversation.map(({ id }) => id));
  const messages: ConversationMessage[] = [];
  let next = 0;
  for (const run of runs) {
    if (present.has(run.runId)) {
      // Up to and with the run's own message; what comes behind it belongs before the next run's.
      const end = conversation.findIndex(({ id }) => id === run.runId) + 1;
      messages.push(...conversation.slice(next, end));
      next = Math.max(next, end);
      continue;
    }
    const answersEnd = endOfTurn(conversation, next);
    messages.push(...conversation.slice(next, answersEnd), userMessage(run));
    next = answersEnd;
  }
  return [...messages, ...conversation.slice(next)];
}

/** The answers that follow a message, up to the next message of the user. */
function endOfTurn(conversation: readonly ConversationMessage[], from: number): number {
  const offset = conversation.slice(from).findIndex(({ role }) => role === 'user');
  return offset === -1 ? conversation.length : from + offset;
}

function userMessage({ runId, message, createdAt }: RunMessage): ConversationMessage {
  return { id: runId, role: 'user', text: message, name: null, toolCallId: null, toolCalls: [], createdAt };
}

function historyMessage(message: ConversationMessage, createdAt: string | null): HistoryMessage {
  const isTool = message.role === 'tool';
  return {
    id: message.id,
    role: message.role,
    content: message.text,
    name: isTool ? message.name : null,
    tool_call_id: message.toolCallId,
    tool_calls:
      message.toolCalls.length === 0
        ? null
        : message.toolCalls.map(({ id, name, args }) => ({
            id,
            type: 'function',
            function: { name, arguments: args },
          })),
    metadata: {
      ...(createdAt === null ? {} : { created_at: createdAt }),
      ...(isTool && ABORTED.test(message.text) ? { aborted: true } : {}),
    },
    created_at: createdAt,
  };
}

/** The result that the wire contract has for calls which an abort kept from being made. */
const ABORTED = /^\{"status": "aborted", /;
