import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Script } from '../fakes/scripted-model';
import { CONFIG, SHOW, configure, probe, probes, show, runsOn } from './support/limit-scripts';
import { ofType } from './support/sse-client';
import { Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

afterEach(() => stack.failLab());

const run = runsOn(() => stack);

describe('Counting', () => {
  it('C5: 3 with five calls in one turn: three run, two are refused, in call order', async () => {
    const { outputs, executed, requests, done, frames } = await run(
      [{ calls: probes(5) }, { text: 'Done.' }],
      {
        max_tool_calls: 3,
      },
    );
    expect(executed).toBe(3);
    expect(outputs.filter((output) => output.startsWith('Tool call limit reached (3 calls)'))).toHaveLength(
      2,
    );
    const results = requests[1]?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results.map(({ content }) => String(content).startsWith('Tool call limit'))).toEqual([
      ...[false, false, false],
      ...[true, true],
    ]);
    expect(done).toMatchObject({ stop_reason: 'completed', usage: { tool_calls: 3, refused_tool_calls: 2 } });
    expect(ofType(frames, 'limits')[0]).toMatchObject({ tool_calls: { used: 3, max: 3, remaining: 0 } });
    expect(ofType(frames, 'limit_reached')).toMatchObject([{ used: 3, max: 3, action: 'refuse' }]);
    expect(stack.logs()).toContain('Tool call limit exceeded: current=3, requested=2, max=3');
  });

  it('50: of 55 calls in one turn 50 run', async () => {
    const limits = { max_tool_calls: 50, max_parallel_tools: 20 };
    const { executed, outputs } = await run([{ calls: probes(55) }, { text: 'Done.' }], limits);
    expect([executed, outputs.length]).toEqual([50, 55]);
  });

  it('C7: a fourth show errs, a config call runs, and the text is there', async () => {
    await stack.clearLabCommands();
    const calls = [...probes(4), configure('R1')];
    const tool_limits = { [SHOW]: 3, [CONFIG]: 3 };
    const { outputs, text, frames } = await run([{ calls }, { text: 'Configured.' }], { tool_limits });
    expect(
      outputs.filter((output) => output.startsWith(`${SHOW} call limit reached (3 calls)`)),
    ).toHaveLength(1);
    expect((await stack.labCommands()).filter(({ line }) => line.startsWith('ip host marker'))).toHaveLength(
      1,
    );
    expect(text).toBe('Configured.');
    expect(ofType(frames, 'limit_reached')).toMatchObject([{ limit: 'tool_limit', tool_name: SHOW }]);
  });

  it.each([
    ['max_diagnostic_calls', 'diagnostic call'],
    ['max_device_config_calls', 'device config call'],
  ])('%s counts its category only', async (limit, words) => {
    const calls =
      limit === 'max_diagnostic_calls'
        ? [probe(), probe(), configure('X')]
        : [configure('X'), configure('Y'), probe()];
    const { executed, outputs } = await run([{ calls }, { text: 'Done.' }], { [limit]: 1 });
    expect(executed).toBe(2);
    expect(outputs.filter((output) => output.includes(`Current ${words} count: 1/1.`))).toHaveLength(1);
  });

  it('C12: a read that fails twice and then works counts as one call, with two retries', async () => {
    await stack.clearLabCommands();
    await stack.failLab('console-drop=R1:show clock');
    const mended = (async () => {
      const dropped = async () =>
        (await stack.labCommands()).filter(({ line }) => line === 'show clock').length;
      while ((await dropped()) < 2) await new Promise((resolve) => setImmediate(resolve));
      await stack.failLab();
    })();
    const limits = { retry_on_tool_error: true, max_retries_per_tool: 2, max_tool_calls: 3 };
    const { outputs, done, frames } = await run([{ calls: [show('R1')] }, { text: 'Read.' }], limits);
    await mended;
    expect(outputs).toHaveLength(1);
    expect(outputs[0]).toContain('"success"');
    expect(done).toMatchObject({ usage: { tool_calls: 1, tool_retries: 2 } });
    expect(ofType(frames, 'limits').at(-1)).toMatchObject({ tool_calls: { used: 1 }, retries: 2 });
  });

  it('never makes a changing call again', async () => {
    await stack.clearLabCommands();
    await stack.failLab('console-drop=R1:ip host marker');
    const limits = { retry_on_tool_error: true, max_retries_per_tool: 5 };
    const { done } = await run([{ calls: [configure('R1')] }, { text: 'Unknown.' }], limits);
    expect((await stack.labCommands()).filter(({ line }) => line.startsWith('ip host marker'))).toHaveLength(
      1,
    );
    expect(done).toMatchObject({ usage: { tool_retries: 0 } });
  });

  it('C13: unknown tools and bad arguments count against nothing, and the loop stays bounded', async () => {
    const script: Script = ({ tool_choice }, call) =>
      tool_choice === 'none'
        ? { text: 'I give up.' }
        : {
            calls: [call % 2 === 0 ? { name: 'nope', args: { call } } : { name: SHOW, args: { node: call } }],
          };
    const { executed, requests, done } = await run(script, { max_iterations: 6, max_tool_calls: 1 });
    expect([executed, requests.length]).toEqual([0, 6]);
    expect(done).toMatchObject({ stop_reason: 'max_iterations', usage: { refused_tool_calls: 5 } });
  });
});
