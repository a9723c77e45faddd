import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Script, Turn } from '../fakes/scripted-model';
import { probe, restless, show, SHOW } from './support/limit-scripts';
import { limitedRun } from './support/limited-run';
import { collect, ofType } from './support/sse-client';
import { Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

afterEach(() => {
  stack.model.plan = { text: 'No plan.' };
});

const run = (script: Script | readonly Turn[], limits: Record<string, unknown> = {}) =>
  limitedRun(stack, script, { auto_adjust_limits: true, ...limits });

const planOf = (fields: Record<string, unknown>): Turn => ({
  text: JSON.stringify({
    iterations: 4,
    tool_calls: 6,
    device_config_calls: 2,
    diagnostic_calls: 4,
    reason: 'two routers',
    ...fields,
  }),
});

const adjustments = (frames: Parameters<typeof ofType>[0]) =>
  ofType(frames, 'limits_adjusted').map(
    ({ limit, from, to }) => `${String(limit)} ${String(from)} -> ${String(to)}`,
  );

const resource = async (runId: string): Promise<unknown> =>
  (await fetch(stack.chatUrl(`/runs/${runId}`))).json();

describe('auto_adjust_limits', () => {
  it('chooses the limits that were left out from a plan, and tells each change with its reason', async () => {
    stack.model.plan = planOf({});
    const { frames, done, runId } = await run([{ calls: [probe()] }, { text: 'Done.' }]);
    expect(adjustments(frames)).toEqual([
      'max_iterations 20 -> 6',
      'max_tool_calls null -> 9',
      'max_device_config_calls null -> 3',
      'max_diagnostic_calls null -> 6',
    ]);
    expect(ofType(frames, 'limits_adjusted')[0]?.reason).toBe('The plan expects 4 model calls: two routers');
    const types = frames.map(({ data }) => data.type);
    expect(types.indexOf('limits_adjusted')).toBeLessThan(types.indexOf('context'));
    expect(ofType(frames, 'limits')[0]).toMatchObject({ iterations: { max: 6 }, tool_calls: { max: 9 } });
    expect(done).toMatchObject({
      stop_reason: 'completed',
      usage: { llm_calls: 2, overhead: { input_tokens: 200, output_tokens: 20 } },
    });
    expect(await resource(runId)).toMatchObject({
      requested_limits: { auto_adjust_limits: true },
      effective_limits: { max_iterations: 6, max_tool_calls: 9, max_device_config_calls: 3 },
    });
  });

  it('shows the planner the message, the lab and the tool names, and no tools to call', async () => {
    stack.model.plan = planOf({});
    stack.model.play([{ text: 'Done.' }]);
    await collect((await stack.chat('Configure everything.', { auto_adjust_limits: true })).frames);
    const [request] = stack.model.planRequests;
    expect(request?.tools).toBeUndefined();
    const task = String(request?.messages.at(-1)?.content);
    for (const part of ['Configure everything.', 'R1', SHOW]) expect(task).toContain(part);
  });

  it('never raises what the caller gave, neither at the start nor later', async () => {
    stack.model.plan = planOf({ iterations: 40 });
    const { frames, requests, done } = await run(restless, { max_iterations: 3, max_tool_calls: 50 });
    expect(adjustments(frames).filter((change) => /max_iterations|max_tool_calls/.test(change))).toEqual([]);
    expect(requests).toHaveLength(3);
    expect(done.stop_reason).toBe('max_iterations');
  });

  it('makes no planner call where nothing is left to choose', async () => {
    const given = {
      max_iterations: 5,
      max_tool_calls: 5,
      max_device_config_calls: 5,
      max_diagnostic_calls: 5,
    };
    stack.model.plan = planOf({});
    stack.model.play([{ text: 'Done.' }]);
    const body = { auto_adjust_limits: true, ...given };
    const frames = await collect((await stack.chat('x', body)).frames);
    expect([stack.model.planRequests, ofType(frames, 'limits_adjusted')]).toEqual([[], []]);
  });

  it('raises by half at four fifths while the calls are new, up to the end of the work', async () => {
    stack.model.plan = planOf({ iterations: 1, tool_calls: 20, diagnostic_calls: 20 });
    const work = Array.from({ length: 9 }, (): Turn => ({ calls: [probe()] }));
    const { frames, done, requests } = await run([...work, { text: 'Done.' }]);
    const changes = adjustments(frames).filter((change) => change.startsWith('max_iterations'));
    expect(changes).toEqual(['max_iterations 20 -> 5', 'max_iterations 5 -> 8', 'max_iterations 8 -> 12']);
    expect([requests.length, done.stop_reason]).toEqual([10, 'completed']);
  });

  it('makes room for a turn of many new calls before they are admitted', async () => {
    stack.model.plan = planOf({ tool_calls: 2, diagnostic_calls: 2 });
    const calls = Array.from({ length: 4 }, probe);
    const { frames, executed, runId } = await run([{ calls }, { text: 'Done.' }]);
    expect(adjustments(frames).slice(-2)).toEqual(['max_tool_calls 3 -> 5', 'max_diagnostic_calls 3 -> 5']);
    expect(executed).toBe(4);
    expect(await resource(runId)).toMatchObject({ effective_limits: { max_tool_calls: 5 } });
  });

  it('does not raise for a model that repeats itself', async () => {
    stack.model.plan = planOf({ iterations: 3 });
    const script: Script = ({ tool_choice }, call) =>
      tool_choice === 'none' ? { text: 'It does not change.' } : { calls: [call < 3 ? probe() : show('R9')] };
    const { frames, done } = await run(script);
    // The fourth call is the same as the third.
    expect(adjustments(frames).filter((change) => change.startsWith('max_iterations'))).toEqual([
      'max_iterations 20 -> 5',
    ]);
    expect(done.stop_reason).toBe('max_iterations');
  });

  it.each<[string, Turn, string]>([
    ['an answer that is no plan', { text: 'About ten, I would say.' }, 'the answer was no usable plan'],
    ['an error of the provider', { status: 400, error: 'no' }, 'the model could not be asked'],
    ['a connection that breaks', { text: '{"iter', reset: true }, 'the model could not be asked'],
  ])('falls back to the defaults on %s, and says so', async (_what, plan, why) => {
    stack.model.plan = plan;
    const { frames, done, runId } = await run([{ text: 'Done.' }]);
    expect(ofType(frames, 'limits_adjusted')).toMatchObject([
      {
        limit: 'max_iterations',
        from: 20,
        to: 20,
        reason: `The limits could not be planned (${why}); the defaults hold.`,
      },
    ]);
    expect(done.stop_reason).toBe('completed');
    expect(await resource(runId)).toMatchObject({
      effective_limits: { max_iterations: 20, max_tool_calls: null },
    });
  });

  it('falls back after 15 s without an answer', async () => {
    stack.model.plan = { ...planOf({}), delayMs: 17_000 };
    const { frames } = await run([{ text: 'Done.' }]);
    expect(ofType(frames, 'limits_adjusted')).toMatchObject([
      { to: 20, reason: expect.stringContaining('no answer in time') },
    ]);
  });

  it('plans once, however often its worker dies before and in the first iteration', async () => {
    stack.model.plan = { ...planOf({}), delayMs: 1_500 };
    const kill = async () => {
      const [agent] = stack.agents.splice(0, 1);
      await agent?.stop('SIGKILL');
      await stack.startAgent().line('agent worker ready');
    };
    const script: Script = async (_request, call) => {
      if (call === 1) await kill();
      return { text: 'Done.' };
    };
    stack.model.play(script);
    const { frames: coming } = await stack.chat('Work on the lab.', { auto_adjust_limits: true });
    const frames = collect(coming);
    while (stack.model.planRequests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // In the middle of the planner call: it is made again. In the first iteration: it is not.
    await kill();
    const all = await frames;
    expect(all.at(-1)?.data).toMatchObject({ type: 'done', stop_reason: 'completed' });
    expect(stack.model.planRequests).toHaveLength(2);
    expect(adjustments(all)).toEqual([
      'max_iterations 20 -> 6',
      'max_tool_calls null -> 9',
      'max_device_config_calls null -> 3',
      'max_diagnostic_calls null -> 6',
    ]);
  });
});
