import { describe, expect, it } from '@jest/globals';
import { longestBlockMs, measure, median } from './measure';
import { ratioTo, table, type Row } from './report';

const took = (medianMs: number) => ({ medianMs, minMs: medianMs, medianCpuMs: medianMs, repetitions: 1 });
const rows: Row[] = [
  { task: 'a', contender: 'ours', result: took(2) },
  { task: 'a', contender: 'theirs', result: took(300) },
  { task: 'b', contender: 'theirs', result: undefined, note: 'left out' },
];

describe('the bench harness', () => {
  it('takes the middle value, or the mean of the two', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 9])).toBe(3);
  });

  it('measures after the warm-up and gives each round fresh input', async () => {
    const seen: number[] = [];
    let next = 0;
    const result = await measure(
      (input: number) => seen.push(input),
      () => next++,
      { warmUps: 2, repetitions: 3, maxMs: 60_000 },
    );
    expect(seen).toEqual([0, 1, 2, 3, 4]);
    expect(result.repetitions).toBe(3);
  });

  it('measures at least once when the time is up', async () => {
    const result = await measure(
      () => undefined,
      () => undefined,
      { warmUps: 3, repetitions: 9, maxMs: -1 },
    );
    expect(result.repetitions).toBe(1);
  });

  it('sees work that blocks the event loop', async () => {
    const block = async (): Promise<void> => {
      const until = performance.now() + 20;
      while (performance.now() < until);
    };
    expect(await longestBlockMs(block, 1)).toBeGreaterThanOrEqual(20);
  });

  it('compares within a task only', () => {
    expect(ratioTo('ours', { task: 'a', contender: 'theirs', result: took(300) }, rows)).toBe(150);
    expect(table(rows, 'ours').split('\n').slice(2)).toEqual([
      '| a | ours | 2.0 ms | 2.0 ms | 2.0 ms | 1.0x |  |',
      '| a | theirs | 300 ms | 300 ms | 300 ms | 150x |  |',
      '| b | theirs | - | - | - | - | left out |',
    ]);
  });
});
