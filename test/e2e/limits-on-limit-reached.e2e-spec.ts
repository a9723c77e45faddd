import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Script } from '../fakes/scripted-model';
import { probe, probes, restless, show, runsOn } from './support/limit-scripts';
import { ofType } from './support/sse-client';
import { Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

afterEach(() => stack.failLab());

const run = runsOn(() => stack);

describe('on_limit_reached', () => {
  const slow = { text: ['one ', 'two ', ...Array.from({ length: 60 }, () => '. ')], pieceDelayMs: 250 };

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
});
