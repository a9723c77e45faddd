import { describe, expect, it } from '@jest/globals';
import { changedLimits } from './change';
import { limitsOf, SHOW } from './testing/limits-of';

const change = (asked: object, before = limitsOf({ max_tool_calls: 7, max_iterations: 30 })) =>
  changedLimits(before, asked, { maxSeconds: 600 });

describe('changedLimits', () => {
  it('changes what is named, and leaves the rest', () => {
    const { effective, changes } = change({ max_tool_calls: 3, max_parallel_tools: 1 });
    expect(effective).toMatchObject({ max_tool_calls: 3, max_parallel_tools: 1, max_iterations: 30 });
    expect(changes).toEqual({
      max_tool_calls: { from: 7, to: 3 },
      max_parallel_tools: { from: 5, to: 1 },
    });
  });

  it('gives the default back for a null: no limit, or the documented value', () => {
    const { changes } = change({ max_tool_calls: null, max_iterations: null });
    expect(changes).toEqual({ max_tool_calls: { from: 7, to: null }, max_iterations: { from: 30, to: 20 } });
  });

  it("gives the operator's time back for a null", () => {
    const before = limitsOf({ max_execution_time_seconds: 10 });
    expect(change({ max_execution_time_seconds: null }, before).effective.max_execution_time_seconds).toBe(
      600,
    );
  });

  it('names no change where the value is the same', () => {
    expect(change({ max_tool_calls: 7 }).changes).toEqual({});
  });

  it('replaces the limits of single tools as a whole', () => {
    const before = limitsOf({ tool_limits: { [SHOW]: 3 } });
    expect(change({ tool_limits: {} }, before).changes).toEqual({
      tool_limits: { from: { [SHOW]: 3 }, to: {} },
    });
  });

  it('ignores what is no limit', () => {
    expect(change({ message: 'x', toString: 1 }).changes).toEqual({});
  });

  it('throws for a value out of range', () => {
    expect(() => change({ max_tool_calls: 51 })).toThrow();
  });
});
