import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Stack } from '../e2e/support/stack';
import { asWebUi, contractFrames, readAsWebUi, readToTheEnd } from './support/web-ui-reader';
import { CHAT_SPELLINGS, WireChat } from './support/wire';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

const PLAIN = [{ text: ['Hello', ' wor', 'ld é.'] }];

describe.each(CHAT_SPELLINGS)('a stream under the path %s', (_of, prefix) => {
  const chat = () => new WireChat(stack, prefix);

  it('has the status and the headers that proxies and the web UI rely on', async () => {
    stack.model.play(PLAIN);
    const response = await chat().open('hi there', randomUUID());
    await response.text();
    expect(response.status).toBe(200);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
      'transfer-encoding': 'chunked',
    });
    expect(headers['cache-control']?.split(', ')).toContain('no-cache');
    expect(headers).not.toHaveProperty('content-encoding');
  });

  it('says each event in exactly one `data: ` line and a blank one, in UTF-8 as it is', async () => {
    stack.model.play(PLAIN);
    const text = await (await chat().open('hi there', randomUUID())).text();
    expect(text).not.toContain('\r');
    expect(text).toContain('ld é.');
    const events = text.split('\n\n');
    expect(events.pop()).toBe('');
    for (const event of events) {
      // Ids and comments are on top of the contract: the web UI passes over them.
      const lines = event.split('\n').filter((line) => !/^(id: |:)/.test(line));
      expect(lines).toHaveLength(event.startsWith(':') ? 0 : 1);
      for (const line of lines) expect(line).toMatch(/^data: \{"type":".*\}$/);
    }
    expect(text).not.toMatch(/^(event|retry):|\[DONE\]/m);
  });

  it('is what the reference was seen to send for a plain answer', async () => {
    stack.model.play(PLAIN);
    const session_id = randomUUID();
    const frames = await readAsWebUi(await chat().open('hi there', session_id));
    const run_id = frames[0]?.run_id;
    expect(run_id).toEqual(expect.any(String));
    expect(contractFrames(frames).slice(0, -1)).toEqual(
      ['Hello', ' wor', 'ld é.'].map((content) => ({ type: 'content', content, session_id, run_id })),
    );
    expect(frames.at(-1)).toMatchObject({ type: 'done', session_id });
  });

  it('says nothing after `done`, and closes', async () => {
    stack.model.play(PLAIN);
    const frames = await readToTheEnd(await chat().open('hi there', randomUUID()));
    expect(frames.filter(({ type }) => type === 'done')).toEqual([frames.at(-1)]);
  });

  it('that its reader leaves at `done`, as the web UI does, is no abort', async () => {
    stack.model.play(PLAIN);
    const session_id = randomUUID();
    await readAsWebUi(await chat().open('hi there', session_id));
    const history = await chat().history(session_id);
    expect(history.map(({ content }) => content)).toEqual(['hi there', 'Hello world é.']);
  });

  it('that its reader leaves half-way goes on, and the answer is kept', async () => {
    let answer: (() => void) | undefined;
    const left = new Promise<void>((resolve) => (answer = resolve));
    stack.model.play(async () => {
      await left;
      return { text: 'The whole answer.' };
    });
    const session_id = randomUUID();
    const frames = asWebUi(await chat().open('hi there', session_id));
    const { value: first } = await frames.next();
    await frames.return();
    answer?.();
    const rest = await fetch(`${chat().base}/runs/${String(first?.run_id)}/events`);
    expect((await readToTheEnd(rest)).at(-1)).toMatchObject({ type: 'done', stop_reason: 'completed' });
    const history = await chat().history(session_id);
    expect(history.map(({ content }) => content)).toEqual(['hi there', 'The whole answer.']);
  });
});

describe('an error in a stream', () => {
  const chat = () => new WireChat(stack, '/v3/copilot/projects');

  it('is a text with the session, and `done` follows; the web UI has stopped reading by then', async () => {
    const session_id = randomUUID();
    stack.model.play(() => ({ status: 401, error: 'Incorrect API key provided' }));
    const response = await chat().open('hi there', session_id);
    expect(response.status).toBe(200);
    expect(contractFrames(await readToTheEnd(response))).toEqual([
      expect.objectContaining({ type: 'error', error: expect.any(String), session_id }),
      expect.objectContaining({ type: 'done', session_id }),
    ]);
    const shown = await readAsWebUi(await chat().open('hi there', session_id));
    expect(shown.at(-1)).toMatchObject({ type: 'error', session_id });
  });

  it.each([
    [401, 'Incorrect API key provided'],
    [403, 'No access to this model'],
    [404, 'The model does not exist'],
  ])('of a provider that answers %i has the form that the web UI reads', async (status, error) => {
    stack.model.play([{ status, error }]);
    const [frame] = contractFrames(await readAsWebUi(await chat().open('hi there', randomUUID())));
    const [, code, message] =
      /^Error code: (\d+) - \{.*'message': '([^']*)'/.exec(String(frame?.error)) ?? [];
    expect([code, message]).toEqual([String(status), error]);
  });

  it('keeps what was said before it, and the session takes the next message', async () => {
    const session_id = randomUUID();
    stack.model.play([{ text: ['one ', 'two'], reset: true }]);
    const frames = contractFrames(await readToTheEnd(await chat().open('break', session_id)));
    expect(frames.map(({ type }) => type)).toEqual(['content', 'content', 'error', 'done']);
    stack.model.play([{ text: 'Fine again.' }]);
    await chat().say(session_id);
    const history = await chat().history(session_id);
    expect(history.map(({ content }) => content)).toEqual(['break', 'one two', 'hello', 'Fine again.']);
  });
});
