import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Turn } from '../fakes/scripted-model';
import { expectToGoOn } from './support/limited-run';
import { configure, probe, show } from './support/limit-scripts';
import { collect, ofType, textOf, type Frame } from './support/sse-client';
import { Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

afterEach(() => stack.failLab());

describe('The clock', () => {
  afterEach(async () => {
    if (stack.tools.some(({ running }) => running)) return;
    stack.startTool();
    await stack.ready();
  });

  it.each([
    ['warn', 'completed', []],
    ['fail', 'failed', [{ code: 'time_limit' }]],
  ])(
    '%s: for tools that no worker takes: it ends at the deadline all the same',
    async (action, status, errors) => {
      await stack.clearLabCommands();
      for (const tool of stack.tools.splice(0)) await tool.stop();
      const limits = { max_execution_time_seconds: 3, on_limit_reached: action };
      const { session_id, frames } = await waitingRun([{ calls: [configure('R1'), probe()] }], limits);
      expect(ofType(frames, 'tool_start')).toEqual([]);
      expect(ofType(frames, 'tool_end').map(({ tool_output }) => String(tool_output))).toEqual([
        ...[expect.stringContaining('time limit of 3 s'), expect.stringContaining('time limit of 3 s')],
      ]);
      expect(ofType(frames, 'limit_reached')).toMatchObject([{ limit: 'time_limit', max: 3 }]);
      expect(ofType(frames, 'error')).toMatchObject(errors);
      expect(frames.at(-1)?.data).toMatchObject({ stop_reason: 'time_limit', usage: { llm_calls: 1 } });
      expect(textOf(frames)).toContain(action === 'fail' ? '' : 'time limit of 3 s');
      expect(Number(ofType(frames, 'limits').at(-1)?.elapsed_ms)).toBeLessThan(8_000);
      const runId = String(frames[0]?.data.run_id);
      expect(await (await fetch(stack.chatUrl(`/runs/${runId}`))).json()).toMatchObject({
        status,
        tool_calls: [{ status: 'skipped' }, { status: 'skipped' }],
      });
      stack.startTool();
      await stack.ready();
      await expectToGoOn(stack, session_id);
      expect(await stack.labCommands()).toEqual([]);
    },
  );

  it('for a tool worker that died in the call: its result says that the outcome is unknown', async () => {
    await stack.failLab('console-hang=R2:show version');
    const calls = [show('R2', 'show version')];
    const limits = { max_execution_time_seconds: 4 };
    const { session_id, frames } = await waitingRun([{ calls }], limits, async ({ data }) => {
      if (data.type === 'tool_start') for (const tool of stack.tools.splice(0)) await tool.stop('SIGKILL');
    });
    const [end] = ofType(frames, 'tool_end');
    expect(end?.tool_output).toContain('may or may not have taken effect');
    expect(frames.at(-1)?.data).toMatchObject({ stop_reason: 'time_limit', usage: { tool_calls: 1 } });
    await stack.failLab();
    stack.startTool();
    await stack.ready();
    await expectToGoOn(stack, session_id);
  });

  it('in the line of its session: the clock starts with its first step', async () => {
    const session_id = 'waits in line';
    stack.model.play([{ text: ['a', 'b', 'c', 'd'], pieceDelayMs: 600 }, { text: 'In time.' }]);
    const first = await stack.chat('First.', { session_id });
    await first.frames.next();
    const second = await stack.chat('Second.', { session_id, max_execution_time_seconds: 2 });
    const frames = await collect(second.frames);
    expect(textOf(frames)).toBe('In time.');
    expect(frames.at(-1)?.data).toMatchObject({ stop_reason: 'completed' });
    expect(Number(ofType(frames, 'limits').at(-1)?.elapsed_ms)).toBeLessThan(2_000);
    await collect(first.frames);
  });
});

let waiting = 0;

/** A run whose calls are not all executed, so that the counters of an ordinary one do not hold. */
async function waitingRun(
  script: readonly Turn[],
  limits: Record<string, unknown>,
  onFrame: (frame: Frame) => Promise<void> = async () => undefined,
) {
  const session_id = `waiting ${(waiting += 1)}`;
  stack.model.play(script);
  const frames: Frame[] = [];
  for await (const frame of (await stack.chat('Work.', { session_id, ...limits })).frames) {
    frames.push(frame);
    await onFrame(frame);
  }
  expect(stack.model.requests).toHaveLength(1);
  return { session_id, frames };
}
