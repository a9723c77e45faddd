import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { configure, show } from '../e2e/support/limit-scripts';
import { Stack } from '../e2e/support/stack';
import { asWebUi, ofType, readAsWebUi, type WireFrame } from './support/web-ui-reader';
import { CHAT_SPELLINGS, WireChat } from './support/wire';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

afterEach(() => stack.failLab());

const ABORTED = 'Tool execution was aborted by user';

describe.each(CHAT_SPELLINGS)('abort under the path %s', (_of, prefix) => {
  const chat = () => new WireChat(stack, prefix);

  /** Reads a message's stream as the web UI does, which keeps it open, and presses stop at the first such frame. */
  async function stopAt(session_id: string, type: string): Promise<WireFrame[]> {
    const frames: WireFrame[] = [];
    let stopping: Promise<unknown> | undefined;
    for await (const frame of asWebUi(
      // One after another, so that the second call is still to come.
      await chat().open('Work.', session_id, { max_parallel_tools: 1 }),
    )) {
      frames.push(frame);
      if (frame.type === type) stopping ??= chat().session('POST', session_id, '/abort');
    }
    expect(await stopping).toEqual({ status: 200, body: { status: 'ok', session_id } });
    return frames;
  }

  it.each([
    ['an unknown session', 'no such / é'],
    ['an id that is a UUID', randomUUID()],
  ])('of %s is answered with ok', async (_what, session_id) => {
    expect(await chat().session('POST', session_id, '/abort')).toEqual({
      status: 200,
      body: { status: 'ok', session_id },
    });
  });

  it('in the middle of a text ends the stream with `done`, without an error', async () => {
    const session_id = randomUUID();
    stack.model.play([{ text: ['one ', ...Array.from({ length: 100 }, () => '. ')], pieceDelayMs: 250 }]);
    const frames = await stopAt(session_id, 'content');
    expect(frames.slice(-2)).toMatchObject([{ type: 'abort' }, { type: 'done', stop_reason: 'aborted' }]);
    expect(ofType(frames, 'error')).toEqual([]);
    expect((await chat().history(session_id)).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('gives a call that was still to come the result of the contract, without a start', async () => {
    const session_id = randomUUID();
    await stack.failLab('console-hang=R1:show version');
    stack.model.play([{ calls: [show('R1', 'show version'), configure('R2')] }]);
    const frames = await stopAt(session_id, 'tool_start');
    const [started] = ofType(frames, 'tool_start');
    const pending = ofType(frames, 'tool_end').find(
      ({ tool_call_id }) => tool_call_id !== started?.tool_call_id,
    );
    const output = {
      status: 'aborted',
      message: ABORTED,
      tool_call_id: pending?.tool_call_id,
    };
    expect(ofType(frames, 'tool_start')).toHaveLength(1);
    expect(JSON.parse(String(pending?.tool_output))).toEqual(output);
    expect(String(pending?.tool_output)).toMatch(/^\{"status": "aborted", "message": ".*", "tool_call_id": /);

    const message = (await chat().history(session_id)).find(
      ({ tool_call_id }) => tool_call_id === pending?.tool_call_id,
    );
    expect(message).toMatchObject({
      role: 'tool',
      content: pending?.tool_output,
      metadata: { aborted: true },
    });
  });

  it('is over with the run: the next message has none of its frames, and may be aborted itself', async () => {
    const session_id = randomUUID();
    await stack.failLab('console-hang=R1:show version');
    stack.model.play([{ calls: [show('R1', 'show version'), configure('R2')] }]);
    await stopAt(session_id, 'tool_start');
    await stack.failLab();
    stack.model.play([{ text: 'Here I am.' }]);
    const frames = await readAsWebUi(await chat().open('And now?', session_id));
    expect(ofType(frames, 'tool_end')).toEqual([]);
    expect(ofType(frames, 'abort')).toEqual([]);
    expect(frames.at(-1)).toMatchObject({ type: 'done', stop_reason: 'completed' });
    stack.model.play([{ text: ['one ', ...Array.from({ length: 100 }, () => '. ')], pieceDelayMs: 250 }]);
    const second = await stopAt(session_id, 'content');
    expect(ofType(second, 'tool_end')).toEqual([]);
    expect(second.at(-1)).toMatchObject({ type: 'done', stop_reason: 'aborted' });
  });
});
