import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Script, Turn } from '../fakes/scripted-model';
import { expectToGoOn, limitedRun } from './support/limited-run';
import { collect, ofType, textOf, type Frame } from './support/sse-client';
import { post, Stack } from './support/stack';

const SHOW = 'execute_multiple_device_commands';
const CONFIG = 'execute_multiple_device_config_commands';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

afterEach(() => stack.failLab());

const run = (
  script: Script | readonly Turn[],
  limits: Record<string, unknown>,
  onFrame?: Parameters<typeof limitedRun>[3],
) => limitedRun(stack, script, limits, onFrame);

const show = (device_name: string, command = 'show clock') => ({
  name: SHOW,
  args: { device_configs: [{ device_name, commands: [command] }] },
});
/** A call like no other that needs no console: its device does not exist. */
let asked = 0;
const probe = () => show(`X${(asked += 1)}`);
const probes = (count: number) => Array.from({ length: count }, probe);
const configure = (device_name: string) => ({
  name: CONFIG,
  args: { device_configs: [{ device_name, config_commands: ['ip host marker 192.0.2.1'] }] },
});
/** Asks for tools for as long as it may. */
const restless: Script = ({ tool_choice }) =>
  tool_choice === 'none' ? { text: 'I stop here.' } : { calls: [probe()] };

describe('max_iterations', () => {
  it.each([1, 2, 3, 40, 100])(
    'C3: %d: that many model calls, the last of them without tools',
    async (max) => {
      const { requests, done, executed, text, reached } = await run(restless, { max_iterations: max });
      expect(requests.map(({ tool_choice }) => tool_choice)).toEqual([
        ...Array.from({ length: max - 1 }, () => 'auto'),
        'none',
      ]);
      expect(requests.at(-1)?.tools).toHaveLength(requests[0]?.tools?.length ?? 0);
      expect(executed).toBe(max - 1);
      expect(text).toBe('I stop here.');
      expect(done.stop_reason).toBe('max_iterations');
      expect(reached).toEqual(['max_iterations closing_call']);
    },
  );

  it('C1, C2, C15: the closing call has every result, is told why, and its end says so in a code', async () => {
    const { requests, done, frames } = await run(restless, { max_iterations: 4 });
    const closing = requests.at(-1)?.messages ?? [];
    expect(closing.filter(({ role }) => role === 'tool')).toHaveLength(3);
    expect(closing[0]?.content).toContain('limit of 4 model calls (max_iterations)');
    expect(done).toMatchObject({ stop_reason: 'max_iterations', usage: { llm_calls: 4, tool_calls: 3 } });
    expect(ofType(frames, 'error')).toEqual([]);
    expect(ofType(frames, 'limits')).toHaveLength(4);
  });

  it('C4: a call that the closing call returns is not executed and not shown', async () => {
    const { frames, executed, text } = await run(() => ({ calls: [probe()] }), { max_iterations: 2 });
    expect(executed).toBe(1);
    expect(
      new Set(ofType(frames, 'tool_call').map(({ tool_call }) => (tool_call as { id: string }).id)).size,
    ).toBe(1);
    expect(text).toContain('limit of 2 model calls (max_iterations). 1 tool call was made.');
  });

  it('fail: the last call is an ordinary one; its tools are not executed and the run fails', async () => {
    const limits = { max_iterations: 2, on_limit_reached: 'fail' };
    const { requests, frames, executed, outputs, done, runId } = await run(restless, limits);
    expect(requests.map(({ tool_choice }) => tool_choice)).toEqual(['auto', 'auto']);
    expect(executed).toBe(1);
    expect(outputs[1]).toContain('Not executed');
    expect(frames.slice(-2).map(({ data }) => data.type)).toEqual(['error', 'done']);
    expect(ofType(frames, 'error')[0]).toMatchObject({ code: 'max_iterations' });
    expect(done.stop_reason).toBe('max_iterations');
    const resource = await (await fetch(stack.chatUrl(`/runs/${runId}`))).json();
    expect(resource).toMatchObject({ status: 'failed', stop_reason: 'max_iterations' });
  });

  it('fail: a run that answers with its last call has not failed', async () => {
    const limits = { max_iterations: 2, on_limit_reached: 'fail' };
    const { done, reached } = await run([{ calls: [probe()] }, { text: 'Done.' }], limits);
    expect(done.stop_reason).toBe('completed');
    expect(reached).toEqual([]);
  });

  it('continue: goes on beyond the limit and says so', async () => {
    const script = [{ calls: [probe()] }, { calls: [probe()] }, { calls: [probe()] }, { text: 'Done.' }];
    const { done, reached, text } = await run(script, { max_iterations: 2, on_limit_reached: 'continue' });
    expect(done.stop_reason).toBe('completed');
    expect(reached).toEqual(['max_iterations continue']);
    expect(text).toBe('Done.');
  });
});

describe('max_tool_calls', () => {
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

  it('1: after a turn of which nothing ran the next call is the closing one', async () => {
    const { requests, executed, done, text, reached } = await run(restless, { max_tool_calls: 1 });
    expect(executed).toBe(1);
    expect(requests.map(({ tool_choice }) => tool_choice)).toEqual(['auto', 'auto', 'none']);
    expect(requests[2]?.messages[0]?.content).toContain('limit of 1 tool call (max_tool_calls)');
    expect(done.stop_reason).toBe('max_tool_calls');
    expect(text).toBe('I stop here.');
    expect(reached).toEqual(['max_tool_calls refuse']);
  });

  it('50: of 55 calls in one turn 50 run', async () => {
    const limits = { max_tool_calls: 50, max_parallel_tools: 20 };
    const { executed, outputs } = await run([{ calls: probes(55) }, { text: 'Done.' }], limits);
    expect([executed, outputs.length]).toEqual([50, 55]);
  });

  it('fail: what is within the limit runs, the rest is answered, and the run fails', async () => {
    const limits = { max_tool_calls: 2, on_limit_reached: 'fail' };
    const { executed, outputs, requests, frames, done } = await run([{ calls: probes(3) }], limits);
    expect([executed, outputs.length, requests.length]).toEqual([2, 3, 1]);
    expect(ofType(frames, 'error')[0]).toMatchObject({ code: 'max_tool_calls' });
    expect(done.stop_reason).toBe('max_tool_calls');
  });

  it('continue: runs on to 50 calls', async () => {
    const limits = { max_tool_calls: 2, on_limit_reached: 'continue', max_parallel_tools: 20 };
    const { executed, reached, done } = await run(
      [{ calls: probes(3) }, { calls: probes(50) }, { text: 'Done.' }],
      limits,
    );
    expect(executed).toBe(50);
    expect(reached).toEqual(['max_tool_calls continue', 'max_tool_calls refuse']);
    expect(done.stop_reason).toBe('completed');
  });

  it('and max_iterations at the same moment: the closing call names the model calls', async () => {
    const { done, reached } = await run(restless, { max_iterations: 3, max_tool_calls: 1 });
    expect(done.stop_reason).toBe('max_iterations');
    expect(reached).toEqual(['max_tool_calls refuse', 'max_iterations closing_call']);
  });
});

describe('limits of categories and tools', () => {
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

  it('a tool that is switched off is not offered, and refused all the same', async () => {
    await stack.clearLabCommands();
    const limits = { tool_limits: { [CONFIG]: 0 } };
    const { requests, outputs, executed } = await run(
      [{ calls: [configure('R1')] }, { text: 'No.' }],
      limits,
    );
    expect(requests[0]?.tools?.map((tool) => tool.function.name)).not.toContain(CONFIG);
    expect(outputs[0]).toContain('switched off');
    expect(executed).toBe(0);
    expect(await stack.labCommands()).toEqual([]);
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
});

describe('max_execution_time_seconds', () => {
  const slow = { text: ['one ', 'two ', ...Array.from({ length: 60 }, () => '. ')], pieceDelayMs: 250 };

  it.each([
    ['warn', []],
    ['fail', [{ code: 'time_limit' }]],
  ])(
    '%s: a model stream is stopped at the deadline and its text is kept',
    async (on_limit_reached, errors) => {
      const limits = { max_execution_time_seconds: 4, on_limit_reached };
      const { frames, text, done, reached } = await run([slow], limits);
      expect(text).toMatch(/^one two /);
      expect(text.length).toBeLessThan(60);
      expect(done.stop_reason).toBe('time_limit');
      expect(ofType(frames, 'error')).toMatchObject(errors);
      expect(reached).toEqual([`time_limit ${on_limit_reached === 'fail' ? 'fail' : 'abort'}`]);
      expect(Number(ofType(frames, 'limits').at(-1)?.elapsed_ms)).toBeLessThan(8_000);
    },
  );

  it('ends in a sentence where the model had said nothing', async () => {
    const { text } = await run([{ text: 'Too late.', delayMs: 4_000 }], { max_execution_time_seconds: 1 });
    expect(text).toContain('time limit of 1 s (max_execution_time_seconds)');
  });

  it('C10: a console that falls silent is left at the deadline; the other result is kept', async () => {
    await stack.failLab('console-hang=R2:show version');
    const calls = [show('R1'), show('R2', 'show version')];
    const { outputs, text, done } = await run([{ calls }], { max_execution_time_seconds: 5 });
    expect(outputs.find((output) => output.includes('R1#show clock'))).toContain('"success"');
    expect(outputs.find((output) => output.includes('show version'))).toContain('the call was stopped');
    expect(done.stop_reason).toBe('time_limit');
    expect(text).toContain('2 tool calls were made');
    await stack.failLab();
    const after = await run([{ calls: [show('R2')] }, { text: 'Free.' }], {});
    expect(after.outputs[0]).toContain('R2#show clock');
  });

  it('closes before the deadline while there is time for an answer', async () => {
    // The faulty call needs no worker, so only the model's own time passes before the next call.
    const script: Script = ({ tool_choice }) =>
      tool_choice === 'none'
        ? { text: 'In time.' }
        : { calls: [{ name: 'nope', args: {} }], delayMs: 18_100 };
    const { requests, text, done, reached } = await run(script, { max_execution_time_seconds: 20 });
    expect(requests.map(({ tool_choice }) => tool_choice)).toEqual(['auto', 'none']);
    expect([text, done.stop_reason]).toEqual(['In time.', 'time_limit']);
    expect(reached).toEqual(['time_limit closing_call']);
  });
});

describe('max_execution_time_seconds of a run that waits', () => {
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

describe('calls that are repeated, faulty or fail', () => {
  it('C9: the same call with the same result is told so in the third, and ends after the fourth', async () => {
    const script: Script = ({ tool_choice }) =>
      tool_choice === 'none' ? { text: 'It does not change.' } : { calls: [show('R1')] };
    const { requests, done, reached } = await run(script, { max_iterations: 50 });
    const results = requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results.map(({ content }) => String(content).includes('3 times running'))).toEqual([
      ...[false, false],
      ...[true, false],
    ]);
    expect(requests).toHaveLength(5);
    expect(done.stop_reason).toBe('repeated_tool_call');
    expect(reached).toEqual(['repeated_tool_call closing_call']);
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

describe('the surface', () => {
  it.each([
    [{ max_tool_calls: 0 }, 'max_tool_calls must be a whole number from 1 to 50, got 0'],
    [{ max_tool_calls: -1 }, 'max_tool_calls must be a whole number from 1 to 50, got -1'],
    [{ max_tool_calls: 1.5 }, 'max_tool_calls must be a whole number from 1 to 50, got 1.5'],
    [{ max_iterations: 101 }, 'max_iterations must be a whole number from 1 to 100, got 101'],
    [{ tool_limits: { nope: 1 } }, 'the known tools are'],
  ])('C14: %j is refused, and nothing is enqueued', async (limits, message) => {
    stack.model.play([]);
    const session_id = `refused ${JSON.stringify(limits)}`;
    const response = await fetch(stack.chatUrl('/stream'), post({ message: 'x', session_id, ...limits }));
    expect([response.status, await response.json()]).toEqual([
      422,
      { message: expect.stringContaining(message) },
    ]);
    expect(stack.logs()).not.toContain(session_id);
    expect(stack.model.requests).toEqual([]);
  });

  it('C14: absent limits are the documented defaults, and the run says what holds', async () => {
    const { runId } = await run([{ text: 'Done.' }], { max_tool_calls: 7, tool_limits: { [CONFIG]: 2 } });
    expect(await (await fetch(stack.chatUrl(`/runs/${runId}`))).json()).toMatchObject({
      requested_limits: { max_tool_calls: 7, tool_limits: { [CONFIG]: 2 } },
      effective_limits: {
        max_iterations: 20,
        max_tool_calls: 7,
        max_device_config_calls: null,
        tool_limits: { [CONFIG]: 2 },
        max_execution_time_seconds: 900,
        on_limit_reached: 'warn',
      },
      usage: { llm_calls: 1, tool_calls: 0 },
      stop_reason: 'completed',
    });
    expect(stack.logs()).toMatch(/Stream chat started: .*max_iterations=None, max_tool_calls=7/);
  });

  it('an answer in one piece carries run_id, stop_reason and usage', async () => {
    stack.model.play(restless);
    const body = { message: 'x', stream: false, max_iterations: 2 };
    const answer = await (await fetch(stack.chatUrl('/stream'), post(body))).json();
    expect(answer).toMatchObject({
      run_id: expect.any(String),
      answer: 'I stop here.',
      stop_reason: 'max_iterations',
      usage: { llm_calls: 2, tool_calls: 1, by_tool: { [SHOW]: 1 } },
    });
  });

  it('temperature is the request over the model config', async () => {
    const { requests } = await run([{ text: 'Cool.' }], { temperature: 0 });
    expect(requests[0]?.temperature).toBe(0);
    expect((await run([{ text: 'As ever.' }], {})).requests[0]?.temperature).toBe(0.7);
  });

  it('max_parallel_tools 1 runs the calls strictly one after another', async () => {
    const calls = ['R1', 'R2', 'R3'].map((name) => show(name));
    const { frames } = await run([{ calls }, { text: 'Done.' }], { max_parallel_tools: 1 });
    const ids = ofType(frames, 'tool_call').flatMap(({ tool_call }) => {
      const { id, function: called } = tool_call as { id: string; function: { complete?: true } };
      return called.complete ? [id] : [];
    });
    const steps = frames.filter(({ data }) => /^tool_(start|end)$/.test(data.type));
    expect(steps.map(({ data }) => `${data.type} ${String(data.tool_call_id)}`)).toEqual(
      ids.flatMap((id) => [`tool_start ${id}`, `tool_end ${id}`]),
    );
  });
});
