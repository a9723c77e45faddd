import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Script } from '../fakes/scripted-model';
import { probe, probes, restless, SHOW } from './support/limit-scripts';
import { limitedRun } from './support/limited-run';
import { collect, ofType, type Frame } from './support/sse-client';
import { post, Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

afterEach(() => stack.failLab());

async function patch(runId: string, limits: unknown, base = stack.chatUrl()) {
  const init = { ...post(limits), method: 'PATCH' };
  const response = await fetch(`${base}/runs/${runId}/limits`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function shown(runId: string): Promise<Record<string, unknown>> {
  return (await (await fetch(stack.chatUrl(`/runs/${runId}`))).json()) as Record<string, unknown>;
}

/**
 * Plays a run and changes its limits while the model thinks about its nth answer: at a place that is exactly
 * known, between two steps.
 */
async function changedAt(nth: number, change: object, script: Script, limits: Record<string, unknown> = {}) {
  let runId = '';
  let answer: Awaited<ReturnType<typeof patch>> | undefined;
  const played: Script = async (request, call) => {
    if (call === nth) answer = await patch(runId, change);
    return script(request, call);
  };
  const run = await limitedRun(stack, played, limits, async ({ data }) => {
    runId = String(data.run_id);
  });
  expect(answer?.status).toBe(200);
  return { ...run, answer: answer?.body ?? {} };
}

describe('a limit that is changed while the run works', () => {
  it('max_tool_calls below what is used is reached now; what was executed is not recalled', async () => {
    const { executed, done, reached, frames, outputs, answer, runId } = await changedAt(
      4,
      { max_tool_calls: 2 },
      restless,
    );
    expect([executed, done.stop_reason]).toEqual([3, 'max_tool_calls']);
    expect(outputs.at(-1)).toContain('Current tool call count: 3/2.');
    expect(reached).toEqual(['max_tool_calls refuse']);
    expect(ofType(frames, 'limit_reached')).toMatchObject([{ used: 3, max: 2 }]);
    const changes = { max_tool_calls: { from: null, to: 2 } };
    expect(ofType(frames, 'limits_changed')).toMatchObject([{ by: expect.any(String), changes }]);
    expect(answer).toMatchObject({ effective_limits: { max_tool_calls: 2 }, requested_limits: {} });
    expect(await shown(runId)).toMatchObject({
      effective_limits: { max_tool_calls: 2, max_iterations: 20 },
      limit_changes: [{ at: expect.any(String), by: expect.any(String), changes }],
    });
  });

  it('max_iterations below what is used makes the next call the closing one', async () => {
    const { requests, done, reached } = await changedAt(5, { max_iterations: 3 }, restless);
    expect(requests.map(({ tool_choice }) => tool_choice)).toEqual([
      ...Array.from({ length: 5 }, () => 'auto'),
      'none',
    ]);
    expect([done.stop_reason, ...reached]).toEqual(['max_iterations', 'max_iterations closing_call']);
  });

  it('with fail: the call under way is the last, and its tools are not executed', async () => {
    const change = { max_iterations: 2, on_limit_reached: 'fail' };
    const { requests, executed, frames, done } = await changedAt(3, change, restless);
    expect([requests.length, executed, done.stop_reason]).toEqual([3, 2, 'max_iterations']);
    expect(ofType(frames, 'error')).toMatchObject([{ code: 'max_iterations' }]);
  });

  it('max_iterations that is raised gives the run more calls', async () => {
    const { requests, done } = await changedAt(1, { max_iterations: 5 }, restless, { max_iterations: 2 });
    expect([requests.length, done.stop_reason]).toEqual([5, 'max_iterations']);
  });

  it('a tool that is switched off is neither offered nor executed any more', async () => {
    const { requests, executed, outputs } = await changedAt(2, { tool_limits: { [SHOW]: 0 } }, (_, call) =>
      call < 3 ? { calls: [probe()] } : { text: 'Done.' },
    );
    expect([executed, outputs.length]).toEqual([1, 2]);
    expect(outputs[1]).toContain('switched off');
    const offered = requests.map(({ tools }) => tools?.some((tool) => tool.function.name === SHOW));
    expect(offered).toEqual([true, true, false]);
  });

  it('max_parallel_tools holds from the next iteration', async () => {
    const { frames } = await changedAt(
      1,
      { max_parallel_tools: 1 },
      (_, call) => (call < 3 ? { calls: probes(3) } : { text: 'Done.' }),
      { max_parallel_tools: 3 },
    );
    const limitsAt = frames.findIndex(({ data }) => data.type === 'limits');
    const order = (part: readonly Frame[]) =>
      part.flatMap(({ data }) => (/^tool_(start|end)$/.test(data.type) ? [data.type.slice(5)] : []));
    expect(order(frames.slice(limitsAt))).toEqual(['start', 'end', 'start', 'end', 'start', 'end']);
    expect(ofType(frames.slice(0, limitsAt), 'tool_start')).toHaveLength(3);
  });

  it('null gives the default back', async () => {
    const { executed, answer } = await changedAt(
      1,
      { max_tool_calls: null },
      (_, call) => (call < 4 ? { calls: [probe()] } : { text: 'Done.' }),
      { max_tool_calls: 1 },
    );
    expect(executed).toBe(3);
    expect(answer).toMatchObject({
      effective_limits: { max_tool_calls: null },
      requested_limits: { max_tool_calls: 1 },
    });
  });
});

describe('a time limit that is changed while the run works', () => {
  const slow = (seconds: number) => ({
    text: Array.from({ length: seconds * 4 }, () => '. '),
    pieceDelayMs: 250,
  });

  it('shortened: the model call under way is stopped at the new deadline', async () => {
    const { text, done, frames } = await changedAt(1, { max_execution_time_seconds: 3 }, () => slow(20));
    expect(done.stop_reason).toBe('time_limit');
    expect(text.length).toBeLessThan(40);
    expect(ofType(frames, 'limits').at(-1)).toMatchObject({ deadline_ms: 3_000 });
  });

  it('prolonged: the run works on beyond the old deadline', async () => {
    const change = { max_execution_time_seconds: 60 };
    const { text, done } = await changedAt(1, change, () => slow(4), { max_execution_time_seconds: 2 });
    expect([text.length, done.stop_reason]).toEqual([32, 'completed']);
  });

  it('shortened while a console is silent: the call is stopped, and the run ends', async () => {
    await stack.failLab('console-hang=R2:show version');
    const hanging = {
      name: SHOW,
      args: { device_configs: [{ device_name: 'R2', commands: ['show version'] }] },
    };
    let changed = false;
    const run = await limitedRun(stack, [{ calls: [hanging] }], {}, async ({ data }) => {
      if (data.type !== 'tool_start' || changed) return;
      changed = true;
      expect((await patch(String(data.run_id), { max_execution_time_seconds: 2 })).status).toBe(200);
    });
    expect(run.outputs[0]).toContain('stopped');
    expect(run.text).toContain('time limit of 2 s');
    expect(run.done.stop_reason).toBe('time_limit');
  });
});

describe('a run that waits in line', () => {
  it('begins with the limits as they were changed', async () => {
    const session_id = `line ${randomUUID()}`;
    stack.model.play(({ messages, tool_choice }) => {
      const first = messages.findLast(({ role }) => role === 'user')?.content === 'First.';
      if (first) return { text: ['a', 'b', 'c', 'd'], pieceDelayMs: 250 };
      return tool_choice === 'none' ? { text: 'I stop here.' } : { calls: [probe()] };
    });
    const first = await stack.chat('First.', { session_id });
    await first.frames.next();
    const second = await stack.chat('Second.', { session_id });
    const { value } = await second.frames.next();
    const { status, body } = await patch(String(value?.data.run_id), { max_iterations: 2 });
    expect([status, body.status]).toEqual([200, 'queued']);
    const frames = await collect(second.frames);
    expect(frames.at(-1)?.data).toMatchObject({ stop_reason: 'max_iterations', usage: { llm_calls: 2 } });
    await collect(first.frames);
  });
});

const BAD_CHANGES: [object, string][] = [
  [{ max_iterations: 0 }, 'max_iterations must be a whole number from 1 to 100, got 0'],
  [{ max_tool_calls: 51 }, 'max_tool_calls must be a whole number from 1 to 50, got 51'],
  [{ max_tool_calls: 2, max_parallel_tools: 1.5 }, 'max_parallel_tools must be a whole number from 1 to 20'],
  [{ max_execution_time_seconds: '9' }, 'max_execution_time_seconds must be a whole number from 1 to 3600'],
  [{ tool_limits: { nope: 1 } }, 'the known tools are'],
  [{ on_limit_reached: 'stop' }, 'on_limit_reached must be one of fail, warn, continue, got "stop"'],
  [{}, 'Name at least one limit to change: max_iterations'],
  [{ message: 'x' }, 'Name at least one limit to change'],
];

describe('a change that is refused', () => {
  it('is a 422 that names field, range and value, and changes nothing', async () => {
    stack.model.play([{ text: ['a', 'b', 'c', 'd'], pieceDelayMs: 400 }]);
    const { frames } = await stack.chat('Work.', { max_tool_calls: 7 });
    const { value } = await frames.next();
    const runId = String(value?.data.run_id);
    for (const [change, message] of BAD_CHANGES) {
      expect(await patch(runId, change)).toEqual({
        status: 422,
        body: { message: expect.stringContaining(message) },
      });
    }
    expect(ofType(await collect(frames), 'limits_changed')).toEqual([]);
    expect(await shown(runId)).toMatchObject({
      effective_limits: { max_tool_calls: 7, max_parallel_tools: 5 },
      limit_changes: [],
    });
  });

  it('409 of a run that has ended; 404 of an unknown one and one of another project', async () => {
    const { runId } = await limitedRun(stack, [{ text: 'Done.' }], {});
    const before = await shown(runId);
    const change = { max_tool_calls: 1 };
    expect(await patch(runId, change)).toEqual({
      status: 409,
      body: { message: `Run '${runId}' has ended; its limits cannot be changed any more` },
    });
    const other = stack.url(`/v3/copilot/projects/${stack.lab.projectId}/chat`);
    expect((await patch(runId, change, other)).status).toBe(409);
    expect((await patch(randomUUID(), change)).status).toBe(404);
    expect((await patch(runId, change, stack.chatUrl('', { projectId: randomUUID() }))).status).toBe(404);
    expect((await patch('7', change)).status).toBe(422);
    expect(await shown(runId)).toEqual(before);
  });
});
