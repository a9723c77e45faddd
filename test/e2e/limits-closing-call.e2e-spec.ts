import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { probe, restless, runsOn } from './support/limit-scripts';
import { ofType } from './support/sse-client';
import { Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

const run = runsOn(() => stack);

describe('The closing call', () => {
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

  it('1: after a turn of which nothing ran the next call is the closing one', async () => {
    const { requests, executed, done, text, reached } = await run(restless, { max_tool_calls: 1 });
    expect(executed).toBe(1);
    expect(requests.map(({ tool_choice }) => tool_choice)).toEqual(['auto', 'auto', 'none']);
    expect(requests[2]?.messages[0]?.content).toContain('limit of 1 tool call (max_tool_calls)');
    expect(done.stop_reason).toBe('max_tool_calls');
    expect(text).toBe('I stop here.');
    expect(reached).toEqual(['max_tool_calls refuse']);
  });

  it('and max_iterations at the same moment: the closing call names the model calls', async () => {
    const { done, reached } = await run(restless, { max_iterations: 3, max_tool_calls: 1 });
    expect(done.stop_reason).toBe('max_iterations');
    expect(reached).toEqual(['max_tool_calls refuse', 'max_iterations closing_call']);
  });
});
