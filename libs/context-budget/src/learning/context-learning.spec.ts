import { describe, expect, it } from '@jest/globals';
import {
  contextLearningSchema,
  isNews,
  learnedRatio,
  learnFromCall,
  learnFromOverflow,
  NOTHING_LEARNED,
} from './context-learning';

const after = (...ratios: number[]) =>
  ratios.reduce((learning, ratio) => learnFromCall(learning, 10_000, 10_000 * ratio), NOTHING_LEARNED);

describe('the learned ratio', () => {
  it('is 1 before the third observation', () => {
    expect(learnedRatio(after(1.4, 1.4))).toBe(1);
    expect(learnedRatio(after(1.4, 1.4, 1.4))).toBeCloseTo(1.4);
  });

  it('estimates within 3 % after five calls of a provider that counts 30 % more, give or take 2 %', () => {
    const learned = learnedRatio(after(1.28, 1.32, 1.31, 1.29, 1.3));
    expect(Math.abs(learned / 1.3 - 1)).toBeLessThan(0.03);
  });

  it('is held within 0.7 and 1.8', () => {
    expect(learnedRatio(after(9, 9, 9))).toBe(1.8);
    expect(learnedRatio(after(0.1, 0.1, 0.1))).toBe(0.7);
    expect(contextLearningSchema.parse(after(9, 0.1, 9, 0.1))).toBeDefined();
  });

  it('follows a change: an exponential average', () => {
    expect(learnedRatio(after(1, 1, 1, 1.5))).toBeCloseTo(1.15);
    expect(learnedRatio(after(1, 1, 1, ...Array<number>(12).fill(1.5)))).toBeGreaterThan(1.49);
  });

  it('learns nothing from figures that prove nothing', () => {
    for (const [estimated, provider] of [
      [0, 5],
      [5, 0],
      [5, NaN],
      [5, -1],
      [5, Infinity],
    ] as const) {
      expect(learnFromCall(NOTHING_LEARNED, estimated, provider)).toBe(NOTHING_LEARNED);
    }
  });
});

describe('after an overflow', () => {
  it('the budget is cut by 20 % and stays cut', () => {
    const cut = learnFromOverflow(NOTHING_LEARNED, 1);
    expect(cut.budgetFactor).toBeCloseTo(0.8);
    expect(learnFromCall(cut, 100, 100).budgetFactor).toBe(cut.budgetFactor);
  });

  it('is cut once for runs that overflowed side by side', () => {
    const once = learnFromOverflow(NOTHING_LEARNED, 1);
    expect(learnFromOverflow(once, 1)).toBe(once);
    expect(learnFromOverflow(once, once.budgetFactor).budgetFactor).toBeCloseTo(0.64);
  });

  it('is never cut below half', () => {
    const often = Array.from({ length: 9 }).reduce<typeof NOTHING_LEARNED>(
      (learning) => learnFromOverflow(learning, learning.budgetFactor),
      NOTHING_LEARNED,
    );
    expect(often.budgetFactor).toBe(0.5);
    expect(contextLearningSchema.parse(often)).toEqual(often);
  });
});

describe('what is news', () => {
  const settled = after(...Array<number>(10).fill(1.2));
  const isNewsOf = (ratio: number, known = settled) =>
    isNews(known, learnFromCall(known, 10_000, 10_000 * ratio));

  it('is everything until ten calls were seen', () => {
    expect(isNewsOf(1.2, after(...Array<number>(9).fill(1.2)))).toBe(true);
    expect(isNewsOf(1.2)).toBe(false);
  });

  it('is a provider that counts 1 % differently than before, not half of that', () => {
    expect(isNewsOf(1.205)).toBe(false);
    expect(isNewsOf(1.212)).toBe(true);
  });

  it('is a budget that was cut, and nothing that proves nothing', () => {
    expect(isNews(settled, learnFromOverflow(settled, 1))).toBe(true);
    expect(isNews(NOTHING_LEARNED, learnFromCall(NOTHING_LEARNED, 0, 5))).toBe(false);
  });
});
