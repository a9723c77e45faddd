import { describe, expect, it } from '@jest/globals';
import { NO_USAGE } from '@copilot/contracts';
import { assumedOutput, costStanding } from './cost-limit';
import { failsAfter, nextCall, type Standing } from './next-call';
import { reachedByCalls, reachedByModelCall, reachedKey } from './reached';
import type { RequestedLimits } from './request';
import { limitsOf, SHOW } from './testing/limits-of';
import { emptyAnswerText, type LimitCause } from './texts';

const at = (iterations: number, elapsedMs = 0, forced: LimitCause | null = null): Standing => ({
  iterations,
  elapsedMs,
  forced,
});
const kinds = (requested: RequestedLimits, count: number) =>
  Array.from({ length: count }, (_, iterations) => nextCall(limitsOf(requested), at(iterations)).type);
const forced: LimitCause = { limit: 'max_tool_calls', max: 3 };

describe('nextCall', () => {
  it.each([1, 2, 3, 40, 100])('C3: call %d of as many is the closing one, and no other', (max_iterations) => {
    const all = kinds({ max_iterations }, max_iterations);
    expect(all.indexOf('closing')).toBe(max_iterations - 1);
    expect(all.filter((kind) => kind === 'ordinary')).toHaveLength(max_iterations - 1);
  });

  it('warn: closes with the twentieth call where nothing is asked for', () => {
    expect(kinds({}, 20).indexOf('closing')).toBe(19);
  });

  it('fail: has no closing call; the calls of the last one are not executed', () => {
    const limits = { max_iterations: 3, on_limit_reached: 'fail' } as const;
    expect(kinds(limits, 4)).toEqual(['ordinary', 'ordinary', 'ordinary', 'end']);
    expect([2, 3].map((used) => failsAfter(limitsOf(limits), used))).toEqual([false, true]);
  });

  it('continue: goes on to the closing call of the ceiling', () => {
    expect(kinds({ max_iterations: 3, on_limit_reached: 'continue' }, 100).indexOf('closing')).toBe(99);
  });

  it('closes after a turn that forced it', () => {
    expect(nextCall(limitsOf({}), at(2, 0, forced))).toEqual({ type: 'closing', cause: forced });
  });

  it('names model calls before tool calls before time where they meet', () => {
    const limits = limitsOf({ max_iterations: 3, max_execution_time_seconds: 10 });
    const causeAt = (standing: Standing) => {
      const next = nextCall(limits, standing);
      return next.type === 'ordinary' ? undefined : next.cause.limit;
    };
    expect(causeAt(at(2, 9_500, forced))).toBe('max_iterations');
    expect(causeAt(at(1, 9_500, forced))).toBe('max_tool_calls');
    expect(causeAt(at(1, 9_500))).toBe('time_limit');
  });

  it.each([
    [100, 89_999, 'ordinary'],
    [100, 90_000, 'closing'],
    [100, 100_000, 'end'],
    [900, 884_999, 'ordinary'],
    [900, 885_000, 'closing'],
    [1, 899, 'ordinary'],
    [1, 900, 'closing'],
  ])('of %d s: after %d ms the call is %s (15 s or a tenth before the deadline)', (seconds, ms, type) => {
    expect(nextCall(limitsOf({ max_execution_time_seconds: seconds }), at(0, ms)).type).toBe(type);
  });

  it('fail: closes nothing before the deadline', () => {
    const limits = limitsOf({ max_execution_time_seconds: 100, on_limit_reached: 'fail' });
    expect([99_999, 100_000].map((ms) => nextCall(limits, at(0, ms)).type)).toEqual(['ordinary', 'end']);
  });

  it('continue: goes on to the ceiling of an hour', () => {
    const limits = limitsOf({ max_execution_time_seconds: 1, on_limit_reached: 'continue' });
    expect([2_000, 3_600_000].map((ms) => nextCall(limits, at(0, ms)).type)).toEqual(['ordinary', 'end']);
  });

  it('counts a limit that was lowered below what is used as reached now', () => {
    expect(nextCall(limitsOf({ max_iterations: 2 }), at(7))).toMatchObject({ type: 'closing' });
  });
});

describe('max_cost', () => {
  const PRICES = { input_price: 10, output_price: 20, currency: 'USD' };
  /** A call of 0.02 USD: 1,000 tokens in, 500 out. */
  const CALL = { inputTokens: 1_000, outputTokens: 500 };
  const spentTokens = (input_tokens: number) => ({ ...NO_USAGE, input_tokens });
  const next = (requested: RequestedLimits, inputTokensSpent: number) => {
    const limits = limitsOf(requested);
    const cost = costStanding(limits, spentTokens(inputTokensSpent), CALL, PRICES);
    const standing = { ...at(2), cost };
    return {
      call: nextCall(limits, standing),
      reached: reachedByModelCall(limits, standing, nextCall(limits, standing)),
    };
  };

  it.each([
    ['two calls fit exactly', 1_000, 'ordinary'],
    ['one call fits and not two', 1_001, 'closing'],
    ['one call fits exactly', 3_000, 'closing'],
    ['none fits', 3_001, 'end'],
    ['it is used up long since', 90_000, 'end'],
  ])('warn: %s', (_what, spent, type) => {
    expect(next({ max_cost: 0.05 }, spent).call.type).toBe(type);
  });

  it.each([
    ['one call fits', 3_000, 'ordinary'],
    ['none fits', 3_001, 'end'],
  ])('fail: %s', (_what, spent, type) => {
    expect(next({ max_cost: 0.05, on_limit_reached: 'fail' }, spent).call.type).toBe(type);
  });

  it('continue: goes on and says so, with the amounts', () => {
    const { call, reached } = next({ max_cost: 0.05, on_limit_reached: 'continue' }, 4_000);
    expect(call.type).toBe('ordinary');
    expect(reached).toEqual([
      { limit: 'cost_limit', used: 0.04, max: 0.05, currency: 'USD', action: 'continue' },
    ]);
  });

  it('names the limit in the words of the field, with the currency', () => {
    const { call, reached } = next({ max_cost: 0.05 }, 3_001);
    const cause = call.type === 'ordinary' ? undefined : call.cause;
    expect(cause && emptyAnswerText(cause, 2)).toBe(
      'The run ended before an answer was written: another model call would go beyond its cost limit of 0.05 USD (max_cost). 2 tool calls were made. Send another message to go on.',
    );
    expect(reached).toMatchObject([{ limit: 'cost_limit', used: 0.03001, max: 0.05, action: 'abort' }]);
  });

  it('comes after the other limits where they meet, but none of them makes a call that it has no money for', () => {
    const limits = limitsOf({ max_iterations: 3, max_cost: 0.05 });
    const standing = (spent: number) => ({
      ...at(2),
      cost: costStanding(limits, spentTokens(spent), CALL, PRICES),
    });
    expect(nextCall(limits, standing(2_000))).toMatchObject({
      type: 'closing',
      cause: { limit: 'max_iterations' },
    });
    expect(nextCall(limits, standing(3_001))).toMatchObject({ type: 'end', cause: { limit: 'cost_limit' } });
  });

  it('is not judged where it was not asked for, or where there are no prices', () => {
    expect(costStanding(limitsOf({}), spentTokens(9e9), CALL, PRICES)).toBeUndefined();
    expect(costStanding(limitsOf({ max_cost: 1 }), spentTokens(9e9), CALL, null)).toBeUndefined();
  });

  it('reckons with a typical output, or the average of the run if that is more, or what the config allows', () => {
    const usage = { ...NO_USAGE, llm_calls: 2, output_tokens: 3_001 };
    expect(assumedOutput(NO_USAGE, 500, null)).toBe(500);
    expect(assumedOutput(usage, 500, undefined)).toBe(1_501);
    expect(assumedOutput({ ...usage, output_tokens: 100 }, 500, null)).toBe(500);
    expect(assumedOutput(usage, 500, 64)).toBe(64);
  });
});

describe('limit_reached', () => {
  const byModelCall = (requested: RequestedLimits, standing: Standing) => {
    const limits = limitsOf(requested);
    return reachedByModelCall(limits, standing, nextCall(limits, standing));
  };

  it('names the closing call with the model calls it makes up', () => {
    expect(byModelCall({ max_iterations: 3 }, at(2))).toEqual([
      { limit: 'max_iterations', used: 3, max: 3, action: 'closing_call' },
    ]);
    expect(byModelCall({ max_iterations: 3 }, at(1))).toEqual([]);
  });

  it('is said of what a run with continue goes beyond', () => {
    const limits = {
      max_iterations: 3,
      max_execution_time_seconds: 2,
      on_limit_reached: 'continue',
    } as const;
    expect(byModelCall(limits, at(3, 2_500))).toEqual([
      { limit: 'max_iterations', used: 3, max: 3, action: 'continue' },
      { limit: 'time_limit', used: 2, max: 2, action: 'continue' },
    ]);
  });

  it.each([
    ['warn', 'abort'],
    ['fail', 'fail'],
  ] as const)('at the deadline with %s: %s', (on_limit_reached, action) => {
    expect(byModelCall({ max_execution_time_seconds: 2, on_limit_reached }, at(1, 2_000))).toEqual([
      { limit: 'time_limit', used: 2, max: 2, action },
    ]);
  });

  it('names the tool of a per-tool limit, and what is done', () => {
    const budget = { limit: 'tool_limit', tool: SHOW, max: 1, bound: 1 } as const;
    const hit = { budget, refused: 2, used: 1 };
    const [reached] = reachedByCalls(limitsOf({}), [hit]);
    expect(reached).toEqual({ limit: 'tool_limit', tool_name: SHOW, used: 1, max: 1, action: 'refuse' });
    expect(reachedByCalls(limitsOf({ on_limit_reached: 'fail' }), [hit])[0]?.action).toBe('fail');
  });

  it('is one for the refusals of a limit and the closing call that follows', () => {
    const budget = { limit: 'max_tool_calls', max: 3, bound: 3 } as const;
    const [refusal] = reachedByCalls(limitsOf({}), [{ budget, refused: 1, used: 3 }]);
    const [closing] = byModelCall({ max_tool_calls: 3 }, at(2, 0, forced));
    expect([refusal, closing].map((reached) => reached && reachedKey(reached))).toEqual([
      'max_tool_calls//3',
      'max_tool_calls//3',
    ]);
  });
});
