import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, ofType } from './support/sse-client';
import { post, Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

const SESSION = 'my lab';
const path = (rest = '') => stack.chatUrl(`/sessions/${encodeURIComponent(SESSION)}${rest}`);
const json = async (url: string, init?: RequestInit) =>
  (await (await fetch(url, init)).json()) as Record<string, unknown>;

describe('a conversation, seen from the sessions API', () => {
  it('has its title, its figures and its messages right after `done`', async () => {
    stack.model.play([
      {
        text: 'Let me look. ',
        calls: [
          {
            id: 'call_1',
            name: 'execute_multiple_device_commands',
            args: { device_configs: [{ device_name: 'R1', commands: ['show clock'] }] },
          },
        ],
      },
      { text: 'It is noon.' },
    ]);
    const frames = await collect((await stack.chat('what time is it?', { session_id: SESSION })).frames);
    expect(ofType(frames, 'done')).toHaveLength(1);

    const [session] = (await json(stack.chatUrl('/sessions'))) as unknown as Record<string, unknown>[];
    expect(session).toMatchObject({
      thread_id: SESSION,
      message_count: 3,
      llm_calls_count: 2,
      input_tokens: 200,
      output_tokens: 20,
      total_tokens: 220,
    });
    expect(session?.title).not.toBe('New Conversation');

    const history = await json(path('/history'));
    expect(history).toMatchObject({ thread_id: SESSION, title: session?.title, llm_calls: 2 });
    expect(history.messages).toMatchObject([
      { role: 'user', content: 'what time is it?' },
      {
        role: 'assistant',
        content: 'Let me look. ',
        tool_calls: [
          { type: 'function', function: { name: 'execute_multiple_device_commands', arguments: {} } },
        ],
      },
      {
        role: 'tool',
        name: 'execute_multiple_device_commands',
        content: expect.stringContaining('show clock'),
      },
      { role: 'assistant', content: 'It is noon.', tool_calls: null },
    ]);
  });

  it('keeps a title that a person chose over later messages', async () => {
    await fetch(path(), { ...post({ title: 'Mine' }), method: 'PATCH' });
    stack.model.play([{ text: 'Yes.' }]);
    await collect((await stack.chat('and now?', { session_id: SESSION })).frames);
    const [session] = (await json(stack.chatUrl('/sessions'))) as unknown as Record<string, unknown>[];
    expect(session).toMatchObject({ title: 'Mine', message_count: 5 });
  });

  it('is gone with all that belongs to it when it is deleted, and the id begins anew', async () => {
    expect((await fetch(path(), { method: 'DELETE' })).status).toBe(204);
    expect(await json(path('/history'))).toMatchObject({ messages: [] });
    stack.model.play([{ text: 'Hello.' }]);
    await collect((await stack.chat('hello', { session_id: SESSION })).frames);
    const messages = stack.model.requests.at(-1)?.messages.map(({ content }) => content);
    expect(JSON.stringify(messages)).not.toContain('what time is it?');
  });
});
