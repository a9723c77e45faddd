import { LIMIT_NAMES, NO_USAGE } from '@copilot/contracts';
import { describe, expect, it } from '@jest/globals';
import { exceededLine, limitsFigures } from './report';
import { limitsOf } from './testing/limits-of';
import { closingInstruction, emptyAnswerText, failureText } from './texts';

describe('the texts', () => {
  it.each(LIMIT_NAMES)('C2: of %s name the limit', (limit) => {
    const cause = { limit, max: 7, tool: 'a_tool' };
    const named =
      /max_iterations|max_\w+_calls|tool_limits|max_execution_time_seconds|max_cost|the same call of a_tool/;
    for (const text of [closingInstruction(cause), emptyAnswerText(cause, 2), failureText(cause, 2)]) {
      expect(text).toMatch(named);
    }
  });

  it('say what was done', () => {
    const cause = { limit: 'max_iterations', max: 1 } as const;
    expect(emptyAnswerText(cause, 1)).toContain(
      'limit of 1 model call (max_iterations). 1 tool call was made.',
    );
    expect(emptyAnswerText(cause, 0)).toContain('0 tool calls were made.');
  });

  it('the audit line has the form of the design document', () => {
    expect(exceededLine(3, 2, 3)).toBe('Tool call limit exceeded: current=3, requested=2, max=3');
  });
});

describe('limitsFigures', () => {
  it('give used, bound and rest; calls without a limit have none', () => {
    const usage = { ...NO_USAGE, llm_calls: 2, tool_calls: 3, by_tool: { x: 3 } };
    expect(limitsFigures(limitsOf({ max_iterations: 5 }), usage, 1_234.5)).toEqual({
      iterations: { used: 2, max: 5, remaining: 3 },
      tool_calls: { used: 3, max: null, remaining: null },
      by_tool: { x: 3 },
      refused: 0,
      retries: 0,
      elapsed_ms: 1_235,
      deadline_ms: 900_000,
      cost: null,
    });
  });

  it('give the cost against max_cost where there are prices', () => {
    const usage = { ...NO_USAGE, cost: { amount: 0.1, currency: 'EUR' } };
    expect(limitsFigures(limitsOf({ max_cost: 0.3 }), usage, 0).cost).toEqual({
      used: 0.1,
      max: 0.3,
      remaining: 0.2,
      currency: 'EUR',
    });
    expect(limitsFigures(limitsOf({ max_cost: 0.05 }), usage, 0).cost?.remaining).toBe(0);
    expect(limitsFigures(limitsOf({}), usage, 0).cost).toMatchObject({ max: null, remaining: null });
  });

  it('never give less than nothing as the rest', () => {
    const usage = { ...NO_USAGE, llm_calls: 1, tool_calls: 9 };
    expect(limitsFigures(limitsOf({ max_tool_calls: 3 }), usage, 0).tool_calls.remaining).toBe(0);
  });
});
