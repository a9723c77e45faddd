import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest, Turn } from '../fakes/scripted-model';
import { strict } from '../fakes/strict-provider';
import { configure, show } from './support/limit-scripts';
import { collect, ofType, textOf, type Frame, type OpenStream } from './support/sse-client';
import { Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ gateways: 2, agents: 2 });
});

afterAll(() => stack.stop());

afterEach(() => stack.failLab());

const SLOW_TEXT: Turn = {
  text: ['one ', 'two ', ...Array.from({ length: 80 }, () => '. ')],
  pieceDelayMs: 250,
};

const asked = ({ messages }: ChatRequest) =>
  messages.filter(({ role }) => role === 'user').map(({ content }) => String(content));

/** Answers each message by a turn of its own; whatever else is in the conversation must please a strict provider. */
function playByMessage(turns: Record<string, Turn | Promise<Turn>>): void {
  stack.model.play(
    strict(async (request) => {
      const message = asked(request).at(-1) ?? '';
      if (request.messages.at(-1)?.role === 'tool') return { text: `After tools: ${message}` };
      return (await turns[message]) ?? { text: `Answer: ${message}` };
    }),
  );
}

interface Begun extends OpenStream {
  readonly runId: string;
  readonly first: Frame['data'] | undefined;
}

async function begin(message: string, body: Record<string, unknown>, gateway = 0): Promise<Begun> {
  const stream = await stack.chat(message, body, gateway);
  const { value } = await stream.frames.next();
  return { ...stream, first: value?.data, runId: String(value?.data.run_id) };
}

/** Reads until a frame is met, and returns what came up to it. */
async function readUntil(
  { frames }: OpenStream,
  isMet: (all: readonly Frame[]) => boolean,
): Promise<Frame[]> {
  const all: Frame[] = [];
  while (!isMet(all)) {
    const { value, done } = await frames.next();
    if (done) throw new Error(`the stream ended before: ${JSON.stringify(all.at(-1))}`);
    all.push(value);
  }
  return all;
}

const says = (words: string) => (all: readonly Frame[]) => textOf(all).includes(words);

async function ended(runId: string): Promise<Record<string, unknown>> {
  const response = await fetch(stack.chatUrl(`/runs/${runId}?wait=40`));
  return (await response.json()) as Record<string, unknown>;
}

const typesOf = (frames: readonly Frame[]) => frames.map(({ data }) => data.type);

describe('messages to one session over two gateways', () => {
  it('are worked off in the order in which they were accepted, and each is told its position', async () => {
    const session_id = randomUUID();
    let goOn = (_: Turn) => {};
    const held = new Promise<Turn>((resolve) => (goOn = resolve));
    playByMessage({ 'message 0': held });
    const messages = Array.from({ length: 6 }, (_, n) => `message ${n}`);
    const begun: Begun[] = [];
    for (const [n, message] of messages.entries()) begun.push(await begin(message, { session_id }, n % 2));
    expect(begun.map(({ first }) => first?.queue_position)).toEqual([0, 1, 2, 3, 4, 5]);
    const last = await fetch(stack.chatUrl(`/runs/${begun.at(-1)?.runId}`));
    expect(await last.json()).toMatchObject({ status: 'queued', queue_position: 5 });
    goOn({ text: 'Answer: message 0' });
    const all = await Promise.all(begun.map(({ frames }) => collect(frames)));
    expect(all.map(textOf)).toEqual(messages.map((message) => `Answer: ${message}`));
    expect(stack.model.requests.map(asked)).toEqual(messages.map((_, n) => messages.slice(0, n + 1)));
  });
});

describe('multitask_strategy reject', () => {
  const reject = { multitask_strategy: 'reject' };

  it('accepts exactly one of many that come to two gateways at once, and the next when it has ended', async () => {
    const session_id = randomUUID();
    playByMessage({ Hello: { text: 'Hello.', delayMs: 1_000 } });
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) => stack.chat('Hello', { session_id, ...reject }, n % 2)),
    );
    const [accepted, ...more] = all.filter(({ response }) => response.status === 200);
    expect(more).toEqual([]);
    if (!accepted) throw new Error('one of the messages is accepted');
    const frames = await collect(accepted.frames);
    expect(textOf(frames)).toBe('Hello.');
    for (const { response } of all.filter((stream) => stream !== accepted)) {
      expect(response.status).toBe(409);
      expect(await response.json()).toEqual({
        message: expect.stringContaining(`its run '${String(frames[0]?.data.run_id)}' is `),
      });
    }
    expect(stack.model.requests).toHaveLength(1);
    expect(textOf(await collect((await stack.chat('Again', { session_id, ...reject }, 1)).frames))).toBe(
      'Answer: Again',
    );
  });
});

describe('multitask_strategy interrupt', () => {
  const interrupt = { multitask_strategy: 'interrupt' };

  it('stops a model stream and what waits behind it, goes next, and leaves later messages alone', async () => {
    const session_id = randomUUID();
    playByMessage({ First: SLOW_TEXT });
    const first = await begin('First', { session_id });
    const said = await readUntil(first, says('two'));
    const waiting = await begin('Waiting', { session_id }, 1);
    const sentAt = performance.now();
    const next = await begin('Next', { session_id, ...interrupt }, 1);
    expect(next.first).toMatchObject({ queue_position: 2 });
    const later = await begin('Later', { session_id });

    const rest = await Promise.all([first, waiting, next, later].map(({ frames }) => collect(frames)));
    const [stopped = [], left = [], answered = [], after = []] = rest;
    expect(typesOf(stopped).slice(-2)).toEqual(['abort', 'done']);
    expect(typesOf(left)).toEqual(['abort', 'done']);
    expect([textOf(answered), textOf(after)]).toEqual(['Answer: Next', 'Answer: Later']);
    expect(performance.now() - sentAt).toBeLessThan(10_000);
    expect(textOf([...said, ...stopped]).length).toBeLessThan(100);
    expect(asked(stack.model.requests.at(-1) ?? { messages: [] })).toEqual(['First', 'Next', 'Later']);
    expect(await ended(first.runId)).toMatchObject({ status: 'cancelled', stop_reason: 'aborted' });
  });

  it('stops a tool on its device, begins none of the calls behind it, and goes next', async () => {
    const session_id = randomUUID();
    await stack.clearLabCommands();
    await stack.failLab('console-hang=R1:show version');
    playByMessage({ First: { calls: [show('R1', 'show version'), configure('R1')] } });
    const first = await begin('First', { session_id, max_parallel_tools: 1 });
    await readUntil(first, (all) => all.at(-1)?.data.type === 'tool_start');
    while (!(await stack.labCommands()).some(({ line }) => line === 'show version'));
    const next = await begin('Next', { session_id, ...interrupt }, 1);
    const [stopped, answered] = [await collect(first.frames), await collect(next.frames)];
    expect(typesOf(stopped).slice(-2)).toEqual(['abort', 'done']);
    expect(ofType(stopped, 'tool_end')).toHaveLength(2);
    expect(textOf(answered)).toBe('Answer: Next');
    expect((await stack.labCommands()).filter(({ line }) => line.startsWith('ip host'))).toEqual([]);

    await stack.failLab();
    playByMessage({ Read: { calls: [show('R1')] } });
    const read = await collect((await stack.chat('Read', { session_id })).frames);
    expect(String(ofType(read, 'tool_end')[0]?.tool_output)).toContain('R1#show clock');
  });
});

describe('on_disconnect', () => {
  const cancel = { on_disconnect: 'cancel' };

  it('cancel: a client that leaves takes its run with it, and the next of the session goes on', async () => {
    const session_id = randomUUID();
    playByMessage({ First: SLOW_TEXT });
    const first = await begin('First', { session_id, ...cancel }, 1);
    await readUntil(first, says('two'));
    const inLine = await begin('In line', { session_id, ...cancel });
    const next = await begin('Next', { session_id });
    inLine.close();
    expect(await ended(inLine.runId)).toMatchObject({ status: 'cancelled', started_at: null });
    first.close();
    expect(await ended(first.runId)).toMatchObject({ status: 'cancelled', stop_reason: 'aborted' });
    expect(textOf(await collect(next.frames))).toBe('Answer: Next');
    const said = await stack.resume(first.runId, undefined);
    expect(textOf(said)).toMatch(/^one two /);
    expect(typesOf(said).slice(-2)).toEqual(['abort', 'done']);
    expect(stack.gateways[1]?.lines.filter((line) => line.includes('"disconnect"'))).toEqual([
      expect.stringContaining(first.runId),
    ]);
  });

  it('cancel: stream: false that is hung up on', async () => {
    const session_id = randomUUID();
    playByMessage({ First: SLOW_TEXT });
    const hangUp = new AbortController();
    const asking = fetch(stack.chatUrl('/stream'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'First', session_id, stream: false, ...cancel }),
      signal: hangUp.signal,
    }).catch((error: unknown) => error);
    while (stack.model.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    hangUp.abort();
    await asking;
    const runs = await (await fetch(stack.chatUrl(`/sessions/${session_id}/runs`))).json();
    const [{ run_id }] = runs as [{ run_id: string }];
    expect(await ended(run_id)).toMatchObject({ status: 'cancelled' });
  });

  it('continue: the run of a client that leaves goes on to its end', async () => {
    playByMessage({ First: { text: ['one ', 'two ', 'three ', 'four'], pieceDelayMs: 250 } });
    const first = await begin('First', { on_disconnect: 'continue' });
    await readUntil(first, says('one'));
    first.close();
    expect(await ended(first.runId)).toMatchObject({ status: 'completed' });
    expect(textOf(await stack.resume(first.runId, undefined))).toBe('one two three four');
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'cancel: a gateway that gets %s is no client that leaves',
    async (signal) => {
      playByMessage({ First: { text: ['one ', 'two ', 'three ', 'four'], pieceDelayMs: 500 } });
      const first = await begin('First', cancel, 1);
      await readUntil(first, says('one'));
      await stack.gateways[1]?.stop(signal);
      await collect(first.frames).catch(() => []);
      expect(await ended(first.runId)).toMatchObject({ status: 'completed' });
      stack.startGateway(1);
      await stack.ready();
    },
  );
});
