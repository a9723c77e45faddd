import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, ofType, openStream, textOf } from './support/sse-client';
import { post, Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ model: 'demo' });
});

afterAll(() => stack.stop());

/** The usage examples of the design document, letter by letter, with what its log line says of each. */
const EXAMPLES: readonly (readonly [string, string, string])[] = [
  [
    'Basic Usage',
    `{
    "message": "配置所有路由器的 OSPF"
  }`,
    'max_iterations=None, max_tool_calls=None',
  ],
  [
    'With Custom Iteration Limit',
    `{
    "message": "在10台路由器上配置OSPF、BGP和静态路由，然后验证连通性",
    "max_iterations": 50
  }`,
    'max_iterations=50, max_tool_calls=None',
  ],
  [
    'With Tool Call Limit',
    `{
    "message": "检查所有设备的接口状态",
    "max_tool_calls": 15
  }`,
    'max_iterations=None, max_tool_calls=15',
  ],
  [
    'Combined Parameters',
    `{
    "message": "配置整个实验室的网络并测试连通性",
    "max_iterations": 40,
    "max_tool_calls": 30
  }`,
    'max_iterations=40, max_tool_calls=30',
  ],
];

describe("the design document's usage examples", () => {
  it.each(EXAMPLES)('%s works as written', async (_title, body, logged) => {
    const { response, frames: coming } = await openStream(stack.chatUrl('/stream'), {
      method: 'POST',
      headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json' },
      body,
    });
    expect(response.status).toBe(200);
    const frames = await collect(coming);
    const done = frames.at(-1)?.data;
    expect(done).toMatchObject({ type: 'done', stop_reason: 'completed' });
    expect(ofType(frames, 'error')).toEqual([]);
    expect(textOf(frames)).not.toBe('');
    const sessionId = String(done?.session_id);
    expect(stack.logs()).toMatch(
      new RegExp(
        `Stream chat started: project_id=\\S+, user_id=\\S+, session_id=${sessionId}, mode=text, ${logged}`,
      ),
    );
  });
});

describe('the audit of a run', () => {
  const message = 'A message that no log may have: 配置所有路由器的 OSPF';

  it('keeps who asked, requested and effective limits, counters and stop reason, in the row and the log', async () => {
    const limits = { max_tool_calls: 1, max_device_config_calls: 2 };
    const frames = await collect((await stack.chat(message, limits)).frames);
    const done: Record<string, unknown> = frames.at(-1)?.data ?? {};
    const { run_id, usage, stop_reason } = done;
    const resource = await (await fetch(stack.chatUrl(`/runs/${String(run_id)}`))).json();
    expect(resource).toMatchObject({
      requested_limits: limits,
      effective_limits: { max_iterations: 20, ...limits },
      usage,
      stop_reason,
    });
    const lines = stack
      .logs()
      .split('\n')
      .filter((line) => line.includes(String(run_id)))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = (msg: string) => lines.find((each) => each.msg === msg);
    const audit = {
      userId: expect.any(String),
      requestedLimits: limits,
      effectiveLimits: { max_tool_calls: 1 },
    };
    expect(line('run started')).toMatchObject(audit);
    expect(line('run ended')).toMatchObject({ ...audit, stopReason: stop_reason, usage });
    expect(lines.map(({ msg }) => String(msg))).toContainEqual(
      expect.stringMatching(/^Tool call limit exceeded: current=1, requested=\d+, max=1$/),
    );
  });

  it('writes no message and no key into any log', async () => {
    await (await fetch(stack.chatUrl('/estimate'), post({ message, max_tool_calls: 3 }))).json();
    expect(stack.logs()).not.toContain('A message that no log may have');
    expect(stack.logs()).not.toContain(stack.apiKey);
  });
});
