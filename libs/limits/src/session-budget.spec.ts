import { NO_USAGE, type Usage } from '@copilot/contracts';
import { describe, expect, it } from '@jest/globals';
import { admitCalls, type CallRequest } from './admission';
import { failsAfter, nextCall, type NextCall, type Standing } from './next-call';
import { reachedByCalls, reachedByModelCall } from './reached';
import { limitsFigures } from './report';
import type { RequestedLimits } from './request';
import {
  exhaustedBudget,
  remainingOf,
  sessionBudgetSchema,
  sessionRoom,
  type SessionBudget,
  type SessionTotals,
} from './session-budget';
import { sessionStanding } from './session-standing';
import { limitsOf, SHOW } from './testing/limits-of';

const NOTHING: SessionTotals = { tool_calls: 0, llm_calls: 0, tokens: 0, cost: 0 };
const room = (budget: Partial<SessionBudget>, before: Partial<SessionTotals> = {}) =>
  sessionRoom(budget, { ...NOTHING, ...before });
const within = (
  requested: RequestedLimits,
  budget: Partial<SessionBudget>,
  before: Partial<SessionTotals> = {},
) => {
  const session = room(budget, before);
  return { ...limitsOf(requested), ...(session ? { session } : {}) };
};
const at = (iterations: number): Standing => ({ iterations, elapsedMs: 0, forced: null });
const PRICES = { input_price: 1, output_price: 1, currency: 'EUR' };
const used = (tokens: number, amount = 0): Usage => ({
  ...NO_USAGE,
  total_tokens: tokens,
  cost: { amount, currency: 'EUR' },
});

describe('a session without budgets', () => {
  it('bounds nothing', () => {
    expect(room({})).toBeUndefined();
    expect(sessionBudgetSchema.parse({ max_total_tokens: null })).toEqual({
      max_total_tool_calls: null,
      max_total_llm_calls: null,
      max_total_tokens: null,
      max_total_cost: null,
    });
  });
});

describe('what is left of a budget', () => {
  it('is never below 0, and exact for money', () => {
    const budget = sessionBudgetSchema.parse({ max_total_cost: 0.3, max_total_tool_calls: 3 });
    expect(remainingOf(budget, { ...NOTHING, cost: 0.1, tool_calls: 5 })).toEqual({
      max_total_tool_calls: 0,
      max_total_llm_calls: null,
      max_total_tokens: null,
      max_total_cost: 0.2,
    });
  });

  it('of none: the session is exhausted, and the budget is named', () => {
    const budget = { max_total_llm_calls: 5, max_total_tokens: 100 };
    const names = [4, 5, 6].map((llm_calls) => {
      const left = room(budget, { llm_calls });
      return left && exhaustedBudget(left);
    });
    expect(names).toEqual([undefined, 'max_total_llm_calls', 'max_total_llm_calls']);
  });
});

describe('max_total_llm_calls', () => {
  const kinds = (requested: RequestedLimits, before: number, count: number) =>
    Array.from(
      { length: count },
      (_, n) => nextCall(within(requested, { max_total_llm_calls: 10 }, { llm_calls: before }), at(n)).type,
    );

  it('makes the last call that is left the closing one, and no call follows', () => {
    expect(kinds({}, 7, 4)).toEqual(['ordinary', 'ordinary', 'closing', 'end']);
  });

  it('leaves no call where runs before have used it up', () => {
    expect(kinds({}, 10, 1)).toEqual(['end']);
  });

  it('holds for a run that goes on at its own limits', () => {
    expect(kinds({ on_limit_reached: 'continue' }, 7, 4)).toEqual(['ordinary', 'ordinary', 'closing', 'end']);
  });

  it('fail: the last call is an ordinary one, and its calls are not executed', () => {
    const limits = within({ on_limit_reached: 'fail' }, { max_total_llm_calls: 10 }, { llm_calls: 8 });
    expect([0, 1, 2].map((n) => nextCall(limits, at(n)).type)).toEqual(['ordinary', 'ordinary', 'end']);
    expect([1, 2].map((n) => failsAfter(limits, n))).toEqual([false, true]);
  });

  it('is named with its own figures; a tighter limit of the run is named instead', () => {
    const limits = within({}, { max_total_llm_calls: 10 }, { llm_calls: 7 });
    expect(reachedByModelCall(limits, at(2), nextCall(limits, at(2)))).toEqual([
      { limit: 'max_iterations', budget: 'max_total_llm_calls', used: 10, max: 10, action: 'closing_call' },
    ]);
    const tighter = within({ max_iterations: 2 }, { max_total_llm_calls: 10 }, { llm_calls: 7 });
    expect(reachedByModelCall(tighter, at(1), nextCall(tighter, at(1)))).toEqual([
      { limit: 'max_iterations', used: 2, max: 2, action: 'closing_call' },
    ]);
  });
});

describe('max_total_tool_calls', () => {
  const calls: CallRequest[] = Array.from({ length: 4 }, () => ({ name: SHOW }));

  it('admits what it leaves, and refuses the rest in its own words', () => {
    const limits = within({ max_tool_calls: 50 }, { max_total_tool_calls: 10 }, { tool_calls: 8 });
    const admission = admitCalls(calls, limits, { total: 0, byTool: {} });
    expect(admission.calls.map(({ refusal }) => refusal)).toEqual([
      ...[undefined, undefined],
      ...Array.from({ length: 2 }, () => expect.stringContaining('of the session: 10/10.')),
    ]);
    expect(reachedByCalls(limits, admission.hits)).toEqual([
      { limit: 'max_tool_calls', budget: 'max_total_tool_calls', used: 10, max: 10, action: 'refuse' },
    ]);
  });

  it('holds for a run that goes on at its own limits', () => {
    const limits = within({ on_limit_reached: 'continue' }, { max_total_tool_calls: 2 });
    expect(admitCalls(calls, limits, { total: 0, byTool: {} }).counts.total).toBe(2);
  });

  it('is in the figures of the run', () => {
    const limits = within({ max_tool_calls: 5 }, { max_total_tool_calls: 10 }, { tool_calls: 8 });
    expect(limitsFigures(limits, { ...NO_USAGE, tool_calls: 1 }, 0)).toMatchObject({
      tool_calls: { used: 1, max: 2, remaining: 1 },
    });
  });
});

describe('max_total_tokens and max_total_cost', () => {
  const next = { inputTokens: 80, outputTokens: 20 };
  const tokens = (before: number, spent: number) => {
    const session = room({ max_total_tokens: 1_000 }, { tokens: before });
    return session && sessionStanding(session, used(spent), next, null);
  };

  it.each([
    [0, 0, 'ample'],
    [700, 100, 'ample'],
    [700, 101, 'one_call'],
    [700, 200, 'one_call'],
    [700, 201, 'none'],
    [900, 100, 'none'],
  ])('after %d tokens before and %d in the run the rest is %s', (before, spent, expected) => {
    expect(tokens(before, spent)).toMatchObject({
      room: expected,
      used: before + spent,
      source: { name: 'max_total_tokens' },
    });
  });

  it('the one call is the closing one; of none the run ends, whatever it does at its own limits', () => {
    const verdict = (spent: number, on_limit_reached: 'warn' | 'fail' | 'continue'): NextCall['type'] =>
      nextCall(limitsOf({ on_limit_reached }), { ...at(1), session: tokens(700, spent) }).type;
    expect((['warn', 'continue', 'fail'] as const).map((action) => verdict(150, action))).toEqual([
      ...['closing', 'closing'],
      'ordinary',
    ]);
    expect((['warn', 'continue', 'fail'] as const).map((action) => verdict(250, action))).toEqual([
      ...['end', 'end', 'end'],
    ]);
  });

  it('cost is judged by what the next call would cost, and named with its currency', () => {
    const session = room({ max_total_cost: 0.0005 }, { cost: 0.0003 });
    const standing = session && sessionStanding(session, used(0, 0.00015), next, PRICES);
    expect(standing).toEqual({
      room: 'none',
      source: { name: 'max_total_cost', before: 0.0003 },
      max: 0.0005,
      used: 0.00045,
      currency: 'EUR',
    });
    const before = { ...at(1), session: standing };
    expect(reachedByModelCall(limitsOf({}), before, nextCall(limitsOf({}), before))).toEqual([
      {
        limit: 'cost_limit',
        budget: 'max_total_cost',
        currency: 'EUR',
        used: 0.00045,
        max: 0.0005,
        action: 'abort',
      },
    ]);
  });

  it('cost bounds nothing where the model config has no prices', () => {
    const session = room({ max_total_cost: 1 }, { cost: 0 });
    expect(session && sessionStanding(session, NO_USAGE, next, null)).toBeUndefined();
  });
});
