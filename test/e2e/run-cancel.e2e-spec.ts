import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Script } from '../fakes/scripted-model';
import { strict } from '../fakes/strict-provider';
import { configure, show } from './support/limit-scripts';
import { collect, ofType, textOf, type Frame } from './support/sse-client';
import { Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

afterEach(() => stack.failLab());

const slowText = { text: ['one ', 'two ', ...Array.from({ length: 80 }, () => '. ')], pieceDelayMs: 250 };

interface Cancelled {
  readonly frames: readonly Frame[];
  readonly answer: { status: number; body: Record<string, unknown> };
  readonly session_id: string;
  readonly tookMs: number;
}

async function cancel(runId: string, base = stack.chatUrl()) {
  const response = await fetch(`${base}/runs/${runId}/cancel`, { method: 'POST' });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Plays a run and cancels it when a frame is met. */
async function cancelAt(
  script: Script,
  isTime: (frame: Frame, all: readonly Frame[]) => boolean,
  before = async () => undefined as unknown,
  limits: Record<string, number> = {},
): Promise<Cancelled> {
  const session_id = `cancelled ${randomUUID()}`;
  stack.model.play(strict(script));
  const { frames: coming } = await stack.chat('Work.', { session_id, ...limits });
  const frames: Frame[] = [];
  let answering: Promise<{ answer: Cancelled['answer']; tookMs: number }> | undefined;
  for await (const frame of coming) {
    frames.push(frame);
    if (answering || !isTime(frame, frames)) continue;
    answering = (async () => {
      await before();
      const begun = performance.now();
      const answer = await cancel(String(frames[0]?.data.run_id));
      return { answer, tookMs: performance.now() - begun };
    })();
  }
  if (!answering) throw new Error('the run ended before it was cancelled');
  return { frames, session_id, ...(await answering) };
}

function expectAborted({ frames, answer }: Cancelled): void {
  expect(frames.slice(-2).map(({ data }) => data.type)).toEqual(['abort', 'done']);
  expect(ofType(frames, 'abort')).toHaveLength(1);
  expect(ofType(frames, 'error')).toEqual([]);
  const usage = frames.at(-1)?.data.usage;
  expect(frames.at(-1)?.data.stop_reason).toBe('aborted');
  expect(answer).toMatchObject({ status: 200, body: { status: 'cancelled', stop_reason: 'aborted', usage } });
}

/** The session takes another message, and a strict provider the conversation. Returns what the model saw. */
async function goOn(session_id: string) {
  stack.model.play(strict(() => ({ text: 'Here I am.' })));
  expect(textOf(await collect((await stack.chat('And now?', { session_id })).frames))).toBe('Here I am.');
  return stack.model.requests[0]?.messages ?? [];
}

describe('cancelling a run', () => {
  it('in the middle of a text: the model call is stopped, and what was said and used is kept', async () => {
    const run = await cancelAt(
      () => slowText,
      (_, all) => textOf(all).includes('two'),
    );
    expectAborted(run);
    expect(run.tookMs).toBeLessThan(1_500);
    expect(textOf(run.frames)).toMatch(/^one two /);
    expect(textOf(run.frames).length).toBeLessThan(60);
    expect(run.frames.at(-1)?.data).toMatchObject({
      usage: { llm_calls: 1, tool_calls: 0, estimated: true },
    });
    expect((await goOn(run.session_id)).map(({ content }) => String(content))).toContainEqual(
      expect.stringMatching(/^one two /),
    );
  });

  it('while a call is on a device: the call is stopped, and those behind it are never begun', async () => {
    await stack.clearLabCommands();
    await stack.failLab('console-hang=R1:show version');
    const calls = [show('R1', 'show version'), configure('R1')];
    const run = await cancelAt(
      (_, call) => (call === 1 ? { calls } : { text: 'never' }),
      ({ data }) => data.type === 'tool_start',
      async () => {
        while (!(await stack.labCommands()).some(({ line }) => line === 'show version'));
      },
      // Side by side, either of the two could have the console first.
      { max_parallel_tools: 1 },
    );
    expectAborted(run);
    expect(run.tookMs).toBeLessThan(1_500);
    expect(ofType(run.frames, 'tool_end')).toHaveLength(2);
    const results = (await goOn(run.session_id)).filter(({ role }) => role === 'tool');
    expect(String(results[0]?.content)).toContain('the run was cancelled and the call was stopped');
    expect((await stack.labCommands()).filter(({ line }) => line.startsWith('ip host'))).toEqual([]);
    await stack.failLab();
    const after = await outputOf(() => ({ calls: [show('R1')] }));
    expect(after).toContain('R1#show clock');
  });

  it('while no tool worker is there: the calls are answered, and not executed when one comes', async () => {
    await stack.clearLabCommands();
    for (const tool of stack.tools.splice(0)) await tool.stop();
    const calls = [configure('R1'), configure('R2')];
    const run = await cancelAt(
      (_, call) => (call === 1 ? { text: 'Setting. ', calls } : { text: 'never' }),
      ({ data }) => data.type === 'tool_call',
      async () => waitingForTools(stack),
    );
    expectAborted(run);
    expect(ofType(run.frames, 'tool_start')).toEqual([]);
    const ends = ofType(run.frames, 'tool_end');
    expect(ends.map(({ tool_output }): unknown => JSON.parse(String(tool_output)))).toEqual(
      ends.map(({ tool_call_id }) => ({
        status: 'aborted',
        message: 'Tool execution was aborted by user',
        tool_call_id,
      })),
    );
    expect(ends).toHaveLength(2);
    expect(run.answer.body).toMatchObject({
      tool_calls: [{ status: 'skipped' }, { status: 'skipped' }],
      usage: { llm_calls: 1, tool_calls: 2 },
    });
    stack.startTool();
    await stack.ready();
    expect((await goOn(run.session_id)).filter(({ role }) => role === 'tool')).toHaveLength(2);
    expect(await stack.labCommands()).toEqual([]);
  });

  it('that waits behind another: it leaves the line without a trace, and the other goes on', async () => {
    const session_id = `line ${randomUUID()}`;
    stack.model.play(
      strict(() => ({ text: Array.from({ length: 12 }, (_, n) => `${n} `), pieceDelayMs: 100 })),
    );
    const first = await stack.chat('First.', { session_id });
    const { value: begun } = await first.frames.next();
    const second = await stack.chat('Second.', { session_id });
    const { value: accepted } = await second.frames.next();
    expect(accepted).toMatchObject({ data: { queue_position: 1 } });
    expect(await cancel(String(accepted?.data.run_id))).toMatchObject({
      status: 200,
      body: { status: 'cancelled', stop_reason: 'aborted', started_at: null },
    });
    expect((await collect(second.frames)).map(({ data }) => data.type)).toEqual(['abort', 'done']);
    expect(textOf(await collect(first.frames))).toContain('11 ');
    expect(begun).toMatchObject({ data: { type: 'run' } });
    const asked = (await goOn(session_id)).filter(({ role }) => role === 'user');
    expect(asked.map(({ content }) => content)).toEqual(['First.', 'And now?']);
  });

  it('whose worker is dead: another one ends it', async () => {
    const run = await cancelAt(
      () => slowText,
      (_, all) => textOf(all).includes('two'),
      async () => {
        await stack.agents.at(-1)?.stop('SIGKILL');
        stack.startAgent();
      },
    );
    expectAborted({ ...run, answer: await cancel(String(run.frames[0]?.data.run_id)) });
    await goOn(run.session_id);
  });
});

describe('the answer to a cancel', () => {
  it('is the run as it is when it has ended, and the same again for a run that was cancelled', async () => {
    stack.model.play([{ text: 'Done.' }]);
    const frames = await collect((await stack.chat('Work.', {})).frames);
    const runId = String(frames[0]?.data.run_id);
    expect(await cancel(runId)).toMatchObject({
      status: 200,
      body: { run_id: runId, status: 'completed', stop_reason: 'completed', cancel_requested_at: null },
    });
    const run = await cancelAt(
      () => slowText,
      (_, all) => textOf(all).includes('two'),
    );
    const other = stack.url(`/v3/copilot/projects/${stack.lab.projectId}/chat`);
    expect(await cancel(String(run.frames[0]?.data.run_id), other)).toEqual(run.answer);
  });

  it('is 404 for an unknown run and one of another project, and 422 for what is no id', async () => {
    stack.model.play([slowText]);
    const { frames } = await stack.chat('Work.', {});
    const { value } = await frames.next();
    const runId = String(value?.data.run_id);
    const elsewhere = stack.chatUrl('', { projectId: randomUUID() });
    expect((await cancel(runId, elsewhere)).status).toBe(404);
    expect((await cancel(randomUUID())).status).toBe(404);
    expect((await cancel('7')).status).toBe(422);
    const shown = await (await fetch(stack.chatUrl(`/runs/${runId}`))).json();
    expect(shown).toMatchObject({ cancel_requested_at: null });
    await cancel(runId);
    await collect(frames);
  });
});

/** One ordinary run; the output of its first call. */
async function outputOf(first: Script): Promise<string> {
  stack.model.play((request, call) => (call === 1 ? first(request, call) : { text: 'Done.' }));
  const frames = await collect((await stack.chat('Read.', {})).frames);
  return String(ofType(frames, 'tool_end')[0]?.tool_output);
}

async function waitingForTools({ redis }: Stack): Promise<void> {
  while ((await redis.zcard('{copilot}:runs:waiting-children')) === 0);
}
