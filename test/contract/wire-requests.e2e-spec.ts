import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONFIG } from '../e2e/support/limit-scripts';
import { Stack } from '../e2e/support/stack';
import { contractFrames, readAsWebUi } from './support/web-ui-reader';
import { CHAT_SPELLINGS, request, UUID_V4, WireChat } from './support/wire';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
  stack.model.play(() => ({ text: 'Hello.' }));
});

afterAll(() => stack.stop());

describe.each(CHAT_SPELLINGS)('a request under the path %s', (of, prefix) => {
  const chat = () => new WireChat(stack, prefix);
  const send = async (route: string, body: unknown) =>
    readAsWebUi(await fetch(chat().base + route, request('POST', body)));
  const toolsAsked = () => stack.model.requests.at(-1)?.tools?.map((tool) => tool.function.name);

  it.each([
    ['a UUID that the client made', randomUUID()],
    ['any other text', 'not a uuid / é'],
    ['a text with what paths and keys are made of', 'a:b/../{c}?d#e%2F'],
  ])('begins a session under %s', async (_what, id) => {
    const session_id = `${id} ${of}`;
    const frames = await send('/stream', { message: 'hello', session_id, stream: true });
    expect(new Set(frames.map((frame) => frame.session_id))).toEqual(new Set([session_id]));
    expect((await chat().history(session_id)).map(({ content }) => content)).toEqual(['hello', 'Hello.']);
    expect((await chat().sessions()).map(({ thread_id }) => thread_id)).toContain(session_id);
  });

  it.each([
    ['left out', {}],
    ['null', { session_id: null }],
  ])('whose session_id is %s gets a UUID of its own', async (_what, body) => {
    const [first, second] = await Promise.all([
      send('/stream', { message: 'hello', ...body }),
      send('/stream', { message: 'hello', ...body }),
    ]);
    const ids = [first, second].map((frames) => String(frames[0]?.session_id));
    for (const id of ids) expect(id).toMatch(UUID_V4);
    expect(new Set(ids).size).toBe(2);
  });

  it('is taken with fields that nobody knows', async () => {
    const frames = await send('/stream', {
      message: 'hello',
      temperature: null,
      mode: 'text',
      stream: true,
      made_up: { by: 'somebody' },
    });
    expect(contractFrames(frames).map(({ type }) => type)).toEqual(['content', 'done']);
  });

  it.each([
    ['', 'Inject a network fault for troubleshooting practice'],
    ['Inject 3 network faults for troubleshooting practice', undefined],
  ])('for faults with the message %j is a run in their mode', async (message, instead) => {
    const session_id = `${randomUUID()} ${of}`;
    const frames = await send('/inject', { message, session_id });
    expect(contractFrames(frames).map(({ type }) => type)).toEqual(['content', 'done']);
    expect(chat().lastAsked).toBe(instead ?? message);
    expect((await chat().history(session_id))[0]).toMatchObject({
      role: 'user',
      content: instead ?? message,
    });
    const row = (await chat().sessions()).find(({ thread_id }) => thread_id === session_id);
    expect(row?.metadata).toEqual({ copilot_mode: 'troubleshooting_injection' });
  });

  it('for faults has their mode for its own run alone', async () => {
    const session_id = `${randomUUID()} ${of}`;
    await send('/stream', { message: 'hello', session_id });
    const before = toolsAsked();
    await send('/inject', { message: '', session_id });
    const during = toolsAsked();
    await send('/stream', { message: 'hello', session_id });
    expect(toolsAsked()).toEqual(before);
    expect(during).not.toEqual(before);
    expect(during).toContain(CONFIG);
  });
});
