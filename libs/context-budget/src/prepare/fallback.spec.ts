import { describe, expect, it } from '@jest/globals';
import { answer, calls, result, user } from '../testing/messages';
import { fallbackHistory } from './fallback';

describe('fallbackHistory', () => {
  const go = user('go');

  it('keeps the latest user message and whole exchanges behind it', () => {
    const history = [
      user('old'),
      go,
      calls('a'),
      calls('b', 'c'),
      result('b'),
      calls('d'),
      result('d'),
      answer(''),
    ];
    expect(fallbackHistory(history, 1_000)).toEqual([go, calls('d'), result('d')]);
  });

  it('keeps at most twenty messages, the newest', () => {
    const exchanges = Array.from({ length: 30 }, (_, index) => [
      calls(`${index}`),
      result(`${index}`),
    ]).flat();
    const kept = fallbackHistory([go, ...exchanges], 100_000);
    expect(kept).toHaveLength(19);
    expect(kept.at(-1)).toEqual(result('29'));
  });

  it('keeps the user message alone where the rest is too long, and nothing without one', () => {
    expect(fallbackHistory([go, calls('a'), result('a', 'x'.repeat(300))], 100)).toEqual([go]);
    expect(fallbackHistory([answer('hello')], 100)).toEqual([]);
  });
});
