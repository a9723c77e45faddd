import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { costStanding } from './cost-limit';
import { estimateRun, typicalOutput, type PastRun } from './estimate';
import { limitsOf } from './testing/limits-of';
import { NO_USAGE } from '@copilot/contracts';

const PRICES = { input_price: 1_000, output_price: 2_000, currency: 'EUR' };
const past = (iterations: number, toolCalls: number, outputTokens: number): PastRun => ({
  iterations,
  toolCalls,
  outputTokens,
});
const basis = {
  inputTokens: 1_000,
  limits: limitsOf({}),
  pastRuns: [] as readonly PastRun[],
  maxTokens: null,
  prices: PRICES,
};

describe('estimateRun', () => {
  it('expects the stated default where the caller has had no run with the model', () => {
    expect(estimateRun(basis)).toEqual({
      input_tokens: 1_000,
      expected_iterations: 3,
      expected_tool_calls: 2,
      expected_output_tokens: 600,
      based_on_runs: 0,
      // One call: 1,000 in, 500 out. Three: 3 x 1,000 + (600 + 2 x 500) in, 600 out.
      cost: { low: 2, expected: 5.8, high: 63.25, currency: 'EUR' },
      reason: null,
    });
  });

  it('expects the median of the runs that there were, each figure for itself', () => {
    const pastRuns = [past(2, 9, 100), past(4, 1, 300), past(9, 4, 200)];
    expect(estimateRun({ ...basis, pastRuns })).toMatchObject({
      expected_iterations: 4,
      expected_tool_calls: 4,
      expected_output_tokens: 200,
      based_on_runs: 3,
    });
    expect(estimateRun({ ...basis, pastRuns: [past(2, 0, 10), past(3, 1, 11)] })).toMatchObject({
      expected_iterations: 3,
      expected_tool_calls: 1,
      expected_output_tokens: 11,
    });
  });

  it('expects no more than the limits allow; one model call means no tool', () => {
    const pastRuns = [past(8, 20, 800)];
    const estimate = (requested: object) => estimateRun({ ...basis, pastRuns, limits: limitsOf(requested) });
    expect(estimate({ max_iterations: 4, max_tool_calls: 3 })).toMatchObject({
      expected_iterations: 4,
      expected_tool_calls: 3,
      expected_output_tokens: 400,
    });
    expect(estimate({ max_iterations: 1 })).toMatchObject({ expected_iterations: 1, expected_tool_calls: 0 });
    expect(estimate({ max_iterations: 4, on_limit_reached: 'continue' })).toMatchObject({
      expected_iterations: 8,
    });
  });

  it('gives null costs and the reason where the prices are missing', () => {
    expect(estimateRun({ ...basis, prices: null })).toMatchObject({
      cost: null,
      reason: expect.stringContaining('input_price, output_price and currency'),
    });
  });

  it('low is never above expected, nor expected above high', () => {
    const run = fc.record({
      iterations: fc.integer({ min: 1, max: 100 }),
      toolCalls: fc.nat(60),
      outputTokens: fc.nat(20_000),
    });
    const limits = fc.record({ max_iterations: fc.integer({ min: 1, max: 100 }) });
    fc.assert(
      fc.property(
        fc.array(run, { maxLength: 50 }),
        limits,
        fc.nat(200_000),
        (pastRuns, asked, inputTokens) => {
          const { cost } = estimateRun({ ...basis, pastRuns, inputTokens, limits: limitsOf(asked) });
          expect(cost?.low).toBeLessThanOrEqual(cost?.expected ?? -1);
          expect(cost?.expected).toBeLessThanOrEqual(cost?.high ?? -1);
        },
      ),
    );
  });

  it('a run whose low estimate is above max_cost has no room for its first call, and only such a run', () => {
    for (const [max_cost, room] of [
      [1.99, 'none'],
      [2, 'one_call'],
    ] as const) {
      const outputTokens = typicalOutput([], null);
      expect(estimateRun(basis).cost?.low).toBe(2);
      const next = { inputTokens: 1_000, outputTokens };
      expect(costStanding(limitsOf({ max_cost }), NO_USAGE, next, PRICES)?.room).toBe(room);
    }
  });

  it("an answer is expected to be as long as the caller's were, and no longer than the config allows", () => {
    expect(typicalOutput([], null)).toBe(500);
    expect(typicalOutput([past(2, 0, 100), past(1, 0, 60), past(4, 0, 80)], null)).toBe(50);
    expect(typicalOutput([], 64)).toBe(64);
  });
});
