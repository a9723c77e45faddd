import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONFIG, configure, runsOn, SHOW, show } from './support/limit-scripts';
import { ofType } from './support/sse-client';
import { post, Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

const run = runsOn(() => stack);

describe('Request fields', () => {
  it.each([
    [{ max_tool_calls: 0 }, 'max_tool_calls must be a whole number from 1 to 50, got 0'],
    [{ max_tool_calls: -1 }, 'max_tool_calls must be a whole number from 1 to 50, got -1'],
    [{ max_tool_calls: 1.5 }, 'max_tool_calls must be a whole number from 1 to 50, got 1.5'],
    [{ max_iterations: 101 }, 'max_iterations must be a whole number from 1 to 100, got 101'],
    [{ tool_limits: { nope: 1 } }, 'the known tools are'],
  ])('C14: %j is refused, and nothing is enqueued', async (limits, message) => {
    expect(await refusalOf(limits)).toEqual([422, { message: expect.stringContaining(message) }]);
    expect(stack.model.requests).toEqual([]);
  });

  it.each([
    ['max_iterations', 1, 100],
    ['max_tool_calls', 1, 50],
    ['max_device_config_calls', 1, 50],
    ['max_diagnostic_calls', 1, 50],
    ['max_execution_time_seconds', 1, 3600],
    ['max_retries_per_tool', 0, 5],
    ['max_parallel_tools', 1, 20],
  ])('%s is a whole number from %d to %d: others are refused with field, range and value', async (...of) => {
    const [field, min, max] = of;
    for (const value of [min - 1, max + 1, min + 0.5, 'ten', [min], true]) {
      const message = `${field} must be a whole number from ${min} to ${max}, got ${JSON.stringify(value)}`;
      expect(await refusalOf({ [field]: value })).toEqual([422, { message }]);
    }
    expect(stack.model.requests).toEqual([]);
  });

  it.each([
    [
      'tool_limits',
      [{ [SHOW]: 51 }, { [SHOW]: -1 }, { [SHOW]: 'ten' }, [], 'ten'],
      'whole numbers from 0 to 50',
    ],
    ['on_limit_reached', ['stop', 1, true], 'must be one of fail, warn, continue'],
    ['retry_on_tool_error', [1, 'yes'], 'must be true or false'],
    ['estimate_cost_before_execution', [1, 'yes'], 'must be true or false'],
    ['auto_adjust_limits', [1, 'yes'], 'must be true or false'],
    ['max_cost', [0, -1, 1_000_001, 'ten', [1]], 'must be a number above 0 and up to 1000000'],
    ['temperature', [-0.1, 2.1, 'hot', [1]], 'must be a number from 0 to 2'],
  ])('%s: bad values are refused with field, rule and value', async (field, values, rule) => {
    for (const value of values) {
      const [status, { message }] = await refusalOf({ [field]: value });
      expect([status, message.startsWith(field)]).toEqual([422, true]);
      expect(message).toContain(rule);
      expect(message).toContain(`got ${JSON.stringify(value)}`);
    }
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
});

/** Of a message that is not accepted; its session does not exist afterwards. */
async function refusalOf(limits: Record<string, unknown>): Promise<[number, { message: string }]> {
  stack.model.play([]);
  const session_id = `refused ${JSON.stringify(limits)}`;
  const response = await fetch(stack.chatUrl('/stream'), post({ message: 'x', session_id, ...limits }));
  const body = (await response.json()) as { message: string };
  const sessions = await (await fetch(stack.chatUrl('/sessions'))).json();
  expect(JSON.stringify(sessions)).not.toContain(JSON.stringify(session_id).slice(1, -1));
  return [response.status, body];
}
