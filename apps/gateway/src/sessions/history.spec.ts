import type { ConversationMessage, RunMessage, SessionHistory, SessionRow } from '@copilot/persistence';
import { describe, expect, it } from '@jest/globals';
import { historyResource } from './history';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

const session: SessionRow = {
  id: 7,
  sessionId: 's',
  projectId: 'p',
  userId: 'u',
  title: 'Named by me',
  titleSource: 'user',
  copilotMode: 'teaching_assistant',
  messageCount: 0,
  llmCallsCount: 3,
  inputTokens: 0,
  outputTokens: 0,
  toolCallsCount: 0,
  cost: 0,
  budget: {},
  pinned: false,
  lastMessageAt: null,
  createdAt: at(0),
  updatedAt: at(0),
};

function message(
  fields: Partial<ConversationMessage> & Pick<ConversationMessage, 'id' | 'role'>,
): ConversationMessage {
  return { text: '', name: null, toolCallId: null, toolCalls: [], createdAt: null, ...fields };
}
const user = (id: string, second: number) => message({ id, role: 'user', text: id, createdAt: at(second) });
const answer = (id: string, second: number) =>
  message({ id, role: 'assistant', text: id, createdAt: at(second) });
const run = (runId: string, second: number): RunMessage => ({
  runId,
  message: runId,
  createdAt: at(second),
  endedAt: null,
});

function historyOf(parts: Partial<SessionHistory>, limit = 0) {
  return historyResource({ session, conversation: [], runs: [], toolResults: [], ...parts }, limit);
}
const ids = (history: { messages: readonly { id: string }[] }) => history.messages.map(({ id }) => id);

describe('a history', () => {
  it('has every field of the contract, nulls included, and the call arguments as objects', () => {
    const history = historyOf({
      conversation: [
        user('r1', 1),
        message({
          id: 'a1',
          role: 'assistant',
          createdAt: at(2),
          toolCalls: [{ id: 'c1', name: 'device_skills', args: { action: 'list' } }],
        }),
        message({ id: 'r1/c1', role: 'tool', text: '{}', name: 'device_skills', toolCallId: 'c1' }),
      ],
      runs: [run('r1', 1)],
      toolResults: [{ runId: 'r1', callId: 'c1', endedAt: at(3) }],
    });
    expect(history).toEqual({
      thread_id: 's',
      title: 'Named by me',
      created_at: null,
      updated_at: null,
      llm_calls: 3,
      messages: [
        {
          id: 'r1',
          role: 'user',
          content: 'r1',
          name: null,
          tool_call_id: null,
          tool_calls: null,
          metadata: { created_at: '2026-01-01T00:00:01.000000' },
          created_at: '2026-01-01T00:00:01.000000',
        },
        {
          id: 'a1',
          role: 'assistant',
          content: '',
          name: null,
          tool_call_id: null,
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'device_skills', arguments: { action: 'list' } },
            },
          ],
          metadata: { created_at: '2026-01-01T00:00:02.000000' },
          created_at: '2026-01-01T00:00:02.000000',
        },
        {
          id: 'r1/c1',
          role: 'tool',
          content: '{}',
          name: 'device_skills',
          tool_call_id: 'c1',
          tool_calls: null,
          metadata: { created_at: '2026-01-01T00:00:03.000000' },
          created_at: '2026-01-01T00:00:03.000000',
        },
      ],
    });
  });

  it('gives a result without a time of its own the time of the message before it', () => {
    const closed = message({ id: 'closed/c1', role: 'tool', text: 'No result', toolCallId: 'c1' });
    const { messages } = historyOf({ conversation: [user('r1', 1), closed] });
    expect(messages[1]?.created_at).toBe('2026-01-01T00:00:01.000000');
  });

  it('marks the results of calls that an abort kept from being made', () => {
    const text =
      '{"status": "aborted", "message": "Tool execution was aborted by user", "tool_call_id": "c"}';
    const { messages } = historyOf({
      conversation: [user('r1', 1), message({ id: 'r1/c', role: 'tool', text, toolCallId: 'c' })],
    });
    expect(messages[1]?.metadata).toMatchObject({ aborted: true });
    expect(messages[0]?.metadata).not.toHaveProperty('aborted');
  });

  it.each([
    [0, ['r1', 'a1', 'r2', 'a2']],
    [3, ['a1', 'r2', 'a2']],
    [100, ['r1', 'a1', 'r2', 'a2']],
  ])('limited to %i keeps the newest', (limit, expected) => {
    const conversation = [user('r1', 1), answer('a1', 2), user('r2', 3), answer('a2', 4)];
    expect(ids(historyOf({ conversation }, limit))).toEqual(expected);
  });
});

describe('messages whose run the conversation does not have', () => {
  const conversation = [user('r1', 1), answer('a1', 2), user('r3', 5), answer('a3', 6)];

  it('are shown in their place when the run failed before its first step', () => {
    const runs = [run('r1', 1), run('r2', 3), run('r3', 5)];
    expect(ids(historyOf({ conversation, runs }))).toEqual(['r1', 'a1', 'r2', 'r3', 'a3']);
  });

  it('are shown at the end while the run waits in line', () => {
    const runs = [run('r1', 1), run('r3', 5), run('r4', 7), run('r5', 8)];
    expect(ids(historyOf({ conversation, runs }))).toEqual(['r1', 'a1', 'r3', 'a3', 'r4', 'r5']);
  });

  it('are all there is before the first step of the first run', () => {
    expect(ids(historyOf({ runs: [run('r1', 1)] }))).toEqual(['r1']);
  });
});
