import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { probe, probes, restless, runsOn, SHOW } from './support/limit-scripts';
import { ofType } from './support/sse-client';
import { post, Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

const run = runsOn(() => stack);

describe('What the client sees', () => {
  it('a `limits` event after every iteration, with what is used, what is allowed and what is left', async () => {
    const limits = { max_iterations: 5, max_tool_calls: 4, max_execution_time_seconds: 60 };
    const { frames } = await run([{ calls: probes(2) }, { calls: [probe()] }, { text: 'Done.' }], limits);
    const told = ofType(frames, 'limits').map((event) => ({ ...event, run_id: null, session_id: null }));
    const after = (iterations: number, calls: number) => ({
      type: 'limits',
      iterations: { used: iterations, max: 5, remaining: 5 - iterations },
      tool_calls: { used: calls, max: 4, remaining: 4 - calls },
      by_tool: calls === 0 ? {} : { [SHOW]: calls },
      refused: 0,
      retries: 0,
      elapsed_ms: expect.any(Number),
      deadline_ms: 60_000,
      cost: null,
      run_id: null,
      session_id: null,
    });
    expect(told).toEqual([after(1, 2), after(2, 3), after(3, 3)]);
    const elapsed = told.map((event) => Number((event as unknown as { elapsed_ms: number }).elapsed_ms));
    expect(elapsed).toEqual(elapsed.toSorted((a, b) => a - b));
  });

  it('`done` with run_id, stop_reason and the final counters; the run says the same afterwards', async () => {
    const { done, runId } = await run(restless, { max_iterations: 3 });
    expect(done).toMatchObject({
      run_id: runId,
      stop_reason: 'max_iterations',
      usage: { llm_calls: 3, tool_calls: 2, by_tool: { [SHOW]: 2 }, estimated: false },
    });
    expect(await (await fetch(stack.chatUrl(`/runs/${runId}`))).json()).toMatchObject({
      status: 'completed',
      stop_reason: 'max_iterations',
      requested_limits: { max_iterations: 3 },
      effective_limits: { max_iterations: 3, max_parallel_tools: 5 },
      usage: done.usage,
    });
  });

  it('a limit that only refused calls in `limit_reached`, not in the stop reason', async () => {
    const script = [{ calls: probes(3) }, { text: 'Done.' }];
    const { done, reached } = await run(script, { max_tool_calls: 2 });
    expect([done.stop_reason, reached]).toEqual(['completed', ['max_tool_calls refuse']]);
  });

  it('an answer in one piece that carries run_id, stop_reason and usage', async () => {
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
});

describe('Audit', () => {
  /** The agent's structured lines of one run, by their message. */
  const linesOf = (runId: string, msg: string) =>
    stack
      .logs()
      .split('\n')
      .filter((line) => line.includes(runId) && line.includes(`"msg":"${msg}"`))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('is one line at the start and one at the end: who, what was asked, what held, what was used', async () => {
    const { runId, done } = await run(restless, { max_iterations: 3, max_tool_calls: 2 });
    const asked = {
      userId: expect.any(String),
      projectId: stack.lab.projectId,
      requestedLimits: { max_iterations: 3, max_tool_calls: 2 },
      effectiveLimits: expect.objectContaining({
        max_iterations: 3,
        max_tool_calls: 2,
        on_limit_reached: 'warn',
      }),
    };
    expect(linesOf(runId, 'run started')).toEqual([expect.objectContaining(asked)]);
    expect(linesOf(runId, 'run ended')).toEqual([
      expect.objectContaining({ ...asked, stopReason: 'max_iterations', usage: done.usage }),
    ]);
  });

  it("has the design's lines in form, and no prompt and no key", async () => {
    await run([{ calls: probes(5) }, { text: 'Done.' }], { max_iterations: 9, max_tool_calls: 3 });
    expect(stack.logs()).toMatch(/Stream chat started: project_id=.*max_iterations=9, max_tool_calls=3/);
    expect(stack.logs()).toContain('Tool call limit exceeded: current=3, requested=2, max=3');
    expect(stack.logs()).not.toContain('Work on the lab.');
    expect(stack.logs()).not.toContain(stack.apiKey);
  });
});
