import { TOOL_CATALOGUE, TOOL_NAMES } from '@copilot/contracts';
import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { admitCalls, type CallRequest } from './admission';
import type { CallCounts } from './budgets';
import { ON_LIMIT_REACHED, type RequestedLimits } from './request';
import { limitsOf } from './testing/limits-of';

interface Call extends CallRequest {
  readonly id: number;
}

const bound = fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined });
const limits: fc.Arbitrary<RequestedLimits> = fc.record(
  {
    max_tool_calls: bound,
    max_device_config_calls: bound,
    max_diagnostic_calls: bound,
    tool_limits: fc.dictionary(fc.constantFrom(...TOOL_NAMES), fc.integer({ min: 0, max: 50 }), {
      maxKeys: 3,
    }),
    on_limit_reached: fc.constantFrom(...ON_LIMIT_REACHED),
  },
  { requiredKeys: [] },
);
const turns = fc.array(
  fc.array(fc.record({ name: fc.constantFrom(...TOOL_NAMES), faulty: fc.boolean() }), { maxLength: 12 }),
  { maxLength: 12 },
);

/** Plays the turns of a run and hands every turn's admission to `check`. */
function play(
  requested: RequestedLimits,
  batches: readonly (readonly { name: string; faulty: boolean }[])[],
  check: (asked: readonly Call[], calls: readonly Call[], before: CallCounts, after: CallCounts) => boolean,
): boolean {
  let counts: CallCounts = { total: 0, byTool: {} };
  let id = 0;
  return batches.every((batch) => {
    const asked = batch.map(({ name, faulty }): Call => {
      id += 1;
      return faulty ? { id, name, refusal: 'faulty' } : { id, name };
    });
    const before = counts;
    const admission = admitCalls(asked, limitsOf(requested), before);
    counts = admission.counts;
    return check(asked, admission.calls, before, counts);
  });
}

const admitted = (calls: readonly Call[]) => calls.filter(({ refusal }) => refusal === undefined);
const sum = (byTool: CallCounts['byTool'], names: readonly string[]) =>
  names.reduce((total, name) => total + (byTool[name] ?? 0), 0);
const ofCategory = (category: string) =>
  TOOL_NAMES.filter((name) => TOOL_CATALOGUE[name].category === category);

describe('over random turns and limits', () => {
  it('executed calls never exceed any bound', () => {
    fc.assert(
      fc.property(limits, turns, (requested, batches) =>
        play(requested, batches, (_asked, _calls, _before, { total, byTool }) => {
          const ceiling = (max: number | undefined) =>
            max === undefined ? Infinity : requested.on_limit_reached === 'continue' && max > 0 ? 50 : max;
          return (
            total <= ceiling(requested.max_tool_calls) &&
            sum(byTool, ofCategory('config')) <= ceiling(requested.max_device_config_calls) &&
            sum(byTool, ofCategory('diagnostic')) <= ceiling(requested.max_diagnostic_calls) &&
            TOOL_NAMES.every((name) => (byTool[name] ?? 0) <= ceiling(requested.tool_limits?.[name]))
          );
        }),
      ),
    );
  });

  it('every requested call is either admitted or refused, once and in its place', () => {
    fc.assert(
      fc.property(limits, turns, (requested, batches) =>
        play(
          requested,
          batches,
          (asked, calls) =>
            calls.length === asked.length && calls.every(({ id }, index) => id === asked[index]?.id),
        ),
      ),
    );
  });

  it('the counters grow by exactly the admitted calls, and never fall', () => {
    fc.assert(
      fc.property(limits, turns, (requested, batches) =>
        play(requested, batches, (_asked, calls, before, after) => {
          const names = admitted(calls).map(({ name }) => name);
          return (
            after.total === before.total + names.length &&
            sum(after.byTool, TOOL_NAMES) === after.total &&
            TOOL_NAMES.every(
              (name) =>
                (after.byTool[name] ?? 0) ===
                (before.byTool[name] ?? 0) + names.filter((each) => each === name).length,
            )
          );
        }),
      ),
    );
  });

  it('a call without limits over it is always admitted', () => {
    fc.assert(
      fc.property(turns, (batches) =>
        play({}, batches, (asked, calls) => admitted(calls).length === admitted(asked).length),
      ),
    );
  });
});
