import { describe, expect, it } from '@jest/globals';
import { effectiveLimits, effectiveLimitsSchema, iterationBound, secondsBound } from './effective';
import { requestedLimits } from './request';

describe('requestedLimits', () => {
  it('keeps what is asked for and nothing else', () => {
    expect(
      requestedLimits({ message: 'x', max_iterations: 1, max_tool_calls: null, tool_limits: {} }),
    ).toEqual({
      max_iterations: 1,
      tool_limits: {},
    });
  });

  it.each([
    ['max_iterations', 1, 100],
    ['max_tool_calls', 1, 50],
    ['max_device_config_calls', 1, 50],
    ['max_diagnostic_calls', 1, 50],
    ['max_execution_time_seconds', 1, 3_600],
    ['max_retries_per_tool', 0, 5],
    ['max_parallel_tools', 1, 20],
    ['temperature', 0, 2],
  ])('%s is from %d to %d', (field, min, max) => {
    for (const value of [min, max]) expect(requestedLimits({ [field]: value })).toEqual({ [field]: value });
    for (const value of [min - 1, max + 1, NaN, 'ten', true, [1]]) {
      expect(() => requestedLimits({ [field]: value })).toThrow(field);
    }
  });

  it('takes whole numbers only, but for the temperature', () => {
    expect(() => requestedLimits({ max_tool_calls: 1.5 })).toThrow('max_tool_calls');
    expect(requestedLimits({ temperature: 0.3 })).toEqual({ temperature: 0.3 });
  });

  it('max_cost is any number above 0 and up to a million', () => {
    for (const max_cost of [0.000001, 0.5, 1_000_000])
      expect(requestedLimits({ max_cost })).toEqual({ max_cost });
    for (const max_cost of [0, -1, 1_000_000.1, NaN, Infinity, '1', true]) {
      expect(() => requestedLimits({ max_cost })).toThrow('max_cost');
    }
  });

  it.each([{ nope: 1 }, { gns3_topology_reader: -1 }, { gns3_topology_reader: 51 }, [], 'all'])(
    'refuses %j as tool_limits',
    (tool_limits) => {
      expect(() => requestedLimits({ tool_limits })).toThrow('tool_limits');
    },
  );
});

describe('effectiveLimits', () => {
  it('are the documented defaults where nothing is asked for', () => {
    expect(effectiveLimits({}, { maxSeconds: 900 })).toEqual({
      max_iterations: 20,
      max_tool_calls: null,
      max_device_config_calls: null,
      max_diagnostic_calls: null,
      tool_limits: {},
      max_execution_time_seconds: 900,
      max_retries_per_tool: 1,
      retry_on_tool_error: false,
      max_parallel_tools: 5,
      on_limit_reached: 'warn',
      temperature: null,
      max_cost: null,
      estimate_cost_before_execution: false,
      auto_adjust_limits: false,
    });
  });

  it('keep what was asked for, the time against the default of the operator too', () => {
    const asked = { max_iterations: 3, max_execution_time_seconds: 7 };
    expect(effectiveLimits(asked, { maxSeconds: 60 })).toMatchObject(asked);
    expect(effectiveLimits({}, { maxSeconds: 60 }).max_execution_time_seconds).toBe(60);
  });

  it('are the defaults for a run that was stored before there were any', () => {
    expect(effectiveLimitsSchema.parse({})).toEqual(effectiveLimits({}, { maxSeconds: 900 }));
  });

  it('end at the ceilings with continue', () => {
    const limits = effectiveLimits({ max_iterations: 2, on_limit_reached: 'continue' }, { maxSeconds: 5 });
    expect([iterationBound(limits), secondsBound(limits)]).toEqual([100, 3_600]);
  });
});
