import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { show } from '../e2e/support/limit-scripts';
import { Stack } from '../e2e/support/stack';
import { ofType, readAsWebUi, toolCalls } from './support/web-ui-reader';
import { CHAT_SPELLINGS, NAIVE_UTC, WireChat } from './support/wire';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

describe.each(CHAT_SPELLINGS)('a history under the path %s', (_of, prefix) => {
  const chat = () => new WireChat(stack, prefix);

  it('has exactly the fields of the contract, with nulls, and says what the stream said', async () => {
    const session_id = randomUUID();
    const asked = show('R1');
    stack.model.play([{ text: 'Let me look. ', calls: [asked] }, { text: 'It is noon.' }]);
    const frames = await readAsWebUi(await chat().open('what time is it?', session_id));
    const call = toolCalls(frames).at(-1);
    const [end] = ofType(frames, 'tool_end');

    const { status, body } = await chat().session('GET', session_id, '/history');
    const plain = { name: null, tool_call_id: null, tool_calls: null };
    // Its own `created_at` is on top of the contract: the web UI reads it there.
    const times = { metadata: { created_at: NAIVE_UTC }, created_at: NAIVE_UTC };
    expect(status).toBe(200);
    expect(body).toEqual({
      thread_id: session_id,
      title: 'Scripted title',
      messages: [
        { id: expect.any(String), role: 'user', content: 'what time is it?', ...plain, ...times },
        {
          id: expect.any(String),
          role: 'assistant',
          content: 'Let me look. ',
          ...plain,
          tool_calls: [
            { id: call?.id, type: 'function', function: { name: asked.name, arguments: asked.args } },
          ],
          ...times,
        },
        {
          id: expect.any(String),
          role: 'tool',
          content: end?.tool_output,
          name: asked.name,
          tool_call_id: call?.id,
          tool_calls: null,
          ...times,
        },
        { id: expect.any(String), role: 'assistant', content: 'It is noon.', ...plain, ...times },
      ],
      created_at: null,
      updated_at: null,
      llm_calls: 2,
    });
    // The same arguments are a text in the stream and an object here.
    expect(JSON.parse(String(call?.function.arguments))).toEqual(asked.args);
  });

  it('has an id for each message and times that never go back', async () => {
    const session_id = randomUUID();
    stack.model.play(() => ({ text: 'Yes.' }));
    for (const message of ['one', 'two']) await chat().say(session_id, message);
    const messages = await chat().history(session_id);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(4);
    const times = messages.map(({ created_at }) => String(created_at));
    expect(times).toEqual([...times].sort());
    expect(messages.map(({ metadata }) => metadata)).toEqual(times.map((created_at) => ({ created_at })));
  });

  it('of an unknown session is empty, under the title of a new one', async () => {
    expect(await chat().session('GET', 'no such / é', '/history')).toEqual({
      status: 200,
      body: {
        thread_id: 'no such / é',
        title: 'New Conversation',
        messages: [],
        created_at: null,
        updated_at: null,
        llm_calls: 0,
      },
    });
  });

  it('is the last so many messages, a hundred without a limit, all with 0', async () => {
    const session_id = randomUUID();
    // 33 messages a turn.
    const many = () => ({ calls: Array.from({ length: 30 }, (_, n) => show(`no device ${n}`)) });
    stack.model.play((_request, call) => (call % 2 === 1 ? many() : { text: 'None.' }));
    for (const message of ['one', 'two', 'three', 'four']) {
      await (await chat().open(message, session_id, { max_tool_calls: null })).text();
    }
    const all = await chat().history(session_id, '?limit=0');
    expect(all.length).toBeGreaterThan(100);
    expect(await chat().history(session_id)).toEqual(all.slice(-100));
    expect(await chat().history(session_id, '?limit=3')).toEqual(all.slice(-3));
    expect(await chat().history(session_id, '?limit=100000')).toEqual(all);
  });

  it('with a limit that is no whole number is a 422', async () => {
    expect(await chat().session('GET', 'any', '/history?limit=abc')).toEqual({
      status: 422,
      body: { message: expect.stringContaining('limit') },
    });
  });
});
