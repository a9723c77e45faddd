import { describe, expect, it } from '@jest/globals';
import {
  chooseLimits,
  keepLimits,
  limitsToChoose,
  raiseLimits,
  readPlan,
  stillChosen,
  withAdjustments,
  type AskedTurn,
  type Plan,
} from './adaptive';
import { callFingerprint } from './fingerprint';
import { CONFIG, limitsOf, SHOW } from './testing/limits-of';

const plan = (fields: Partial<Plan>): Plan => ({
  iterations: 4,
  tool_calls: 6,
  device_config_calls: 2,
  diagnostic_calls: 4,
  reason: 'two routers',
  ...fields,
});
const chooseAll = (fields: Partial<Plan>) => chooseLimits(plan(fields), limitsOf({}), limitsToChoose({}));

describe('chooseLimits', () => {
  it('gives one and a half times the plan, rounded up, and says what changed and why', () => {
    const { chosen, adjustments } = chooseAll({ iterations: 7, tool_calls: 5 });
    expect(chosen).toEqual({
      max_iterations: 11,
      max_tool_calls: 8,
      max_device_config_calls: 3,
      max_diagnostic_calls: 6,
    });
    expect(adjustments[0]).toEqual({
      limit: 'max_iterations',
      from: 20,
      to: 11,
      reason: 'The plan expects 7 model calls: two routers',
    });
    expect(adjustments.map(({ limit, from }) => `${limit} ${from}`)).toEqual([
      'max_iterations 20',
      ...['max_tool_calls null', 'max_device_config_calls null', 'max_diagnostic_calls null'],
    ]);
  });

  it('gives at least five model calls and one call of a kind, and never more than the ceilings', () => {
    expect(chooseAll({ iterations: 1, device_config_calls: 0 }).chosen).toMatchObject({
      max_iterations: 5,
      max_device_config_calls: 1,
    });
    expect(chooseAll({ iterations: 900, tool_calls: 900 }).chosen).toMatchObject({
      max_iterations: 100,
      max_tool_calls: 50,
    });
  });

  it('leaves alone what the caller gave', () => {
    const open = limitsToChoose({ max_iterations: 3, max_tool_calls: 2 });
    expect(open).toEqual(['max_device_config_calls', 'max_diagnostic_calls']);
    const { chosen } = chooseLimits(plan({}), limitsOf({ max_iterations: 3 }), open);
    expect(Object.keys(chosen)).toEqual(open);
  });

  it('tells nothing of a limit that stays as it was', () => {
    const { adjustments } = chooseLimits(plan({ iterations: 13.3 }), limitsOf({}), ['max_iterations']);
    expect(adjustments).toEqual([]);
  });

  it('without a plan keeps the defaults and says why, once', () => {
    expect(keepLimits(limitsOf({}), limitsToChoose({}), 'no answer within 15 s')).toEqual({
      chosen: {},
      adjustments: [
        {
          limit: 'max_iterations',
          from: 20,
          to: 20,
          reason: 'The limits could not be planned (no answer within 15 s); the defaults hold.',
        },
      ],
    });
  });
});

describe('a limit that somebody changes meanwhile', () => {
  const { chosen, adjustments } = chooseAll({});

  it('holds against what was chosen, and is not raised any more', () => {
    expect(withAdjustments(limitsOf({}), adjustments)).toMatchObject({
      max_iterations: 6,
      max_tool_calls: 9,
    });
    const changed = limitsOf({ max_iterations: 2 });
    const holds = withAdjustments(changed, adjustments);
    expect(holds).toMatchObject({ max_iterations: 2, max_tool_calls: 9 });
    expect(Object.keys(stillChosen(chosen, holds))).not.toContain('max_iterations');
    expect(stillChosen(chosen, holds)).toMatchObject({ max_tool_calls: 9 });
  });

  it('does not undo one that was stored', () => {
    const stored = withAdjustments(limitsOf({}), adjustments);
    expect(withAdjustments(stored, adjustments)).toEqual(stored);
  });
});

describe('readPlan', () => {
  const json = JSON.stringify(plan({}));

  it.each([json, `Here you are:\n\`\`\`json\n${json}\n\`\`\``, ` ${json} `])('finds it in %j', (text) => {
    expect(readPlan(text)).toEqual(plan({}));
  });

  it.each([
    '',
    'I would say about ten.',
    '{"iterations": 4',
    '{"iterations": "four", "tool_calls": 1, "device_config_calls": 0, "diagnostic_calls": 1}',
    '{"iterations": -1, "tool_calls": 1, "device_config_calls": 0, "diagnostic_calls": 1}',
    '{"iterations": 1e9, "tool_calls": 1, "device_config_calls": 0, "diagnostic_calls": 1}',
    '{"iterations": 4}',
    '[4, 5]',
  ])('makes nothing of %j', (text) => expect(readPlan(text)).toBeUndefined());

  it('keeps a reason that goes on and on to a line', () => {
    const { adjustments } = chooseAll({ reason: 'why\n'.repeat(500) });
    expect(adjustments[0]?.reason.length).toBeLessThan(250);
    expect(adjustments[0]?.reason).not.toContain('\n');
  });
});

describe('raiseLimits', () => {
  const call = (name: string, device: string) => ({ name, args: { device } });
  const turn = (fields: Partial<AskedTurn>): AskedTurn => ({
    iterations: 1,
    counts: { total: 0, byTool: {} },
    calls: [call(SHOW, 'R1')],
    before: [],
    ...fields,
  });

  it('raises by half what is used to four fifths, rounded up, never above the ceiling', () => {
    expect(raiseLimits({ max_iterations: 5 }, turn({ iterations: 3 })).adjustments).toEqual([]);
    expect(raiseLimits({ max_iterations: 5 }, turn({ iterations: 4 }))).toMatchObject({
      chosen: { max_iterations: 8 },
      adjustments: [{ limit: 'max_iterations', from: 5, to: 8 }],
    });
    expect(raiseLimits({ max_iterations: 90 }, turn({ iterations: 80 })).chosen.max_iterations).toBe(100);
    expect(raiseLimits({ max_iterations: 100 }, turn({ iterations: 99 })).adjustments).toEqual([]);
  });

  it('reckons with the calls of the turn before they are admitted, each kind for itself', () => {
    const counts = { total: 6, byTool: { [SHOW]: 5, [CONFIG]: 1 } };
    const calls = [call(SHOW, 'R1'), call(SHOW, 'R2'), { ...call(CONFIG, 'R1'), refusal: 'bad arguments' }];
    const chosen = { max_tool_calls: 10, max_device_config_calls: 2, max_diagnostic_calls: 20 };
    expect(raiseLimits(chosen, turn({ counts, calls })).chosen).toEqual({
      max_tool_calls: 15,
      max_device_config_calls: 2,
      max_diagnostic_calls: 20,
    });
  });

  it('leaves everything alone when the calls are those of the turn before', () => {
    const before = [{ call: callFingerprint(SHOW, { device: 'R1' }), result: 'x', times: 1 }];
    expect(raiseLimits({ max_iterations: 5 }, turn({ iterations: 4, before })).adjustments).toEqual([]);
    const calls = [call(SHOW, 'R1'), call(SHOW, 'R2')];
    expect(
      raiseLimits({ max_iterations: 5 }, turn({ iterations: 4, before, calls })).adjustments,
    ).toHaveLength(1);
  });

  it('raises nothing that the service did not choose, and nothing for a turn without calls', () => {
    expect(raiseLimits({}, turn({ iterations: 19 }))).toEqual({ chosen: {}, adjustments: [] });
    expect(raiseLimits({ max_iterations: 5 }, turn({ iterations: 4, calls: [] })).adjustments).toEqual([]);
  });
});
