import { describe, expect, it } from '@jest/globals';
import { callFingerprint, resultFingerprint } from './fingerprint';
import { followRepeats, type CallOutcome, type Repeats } from './repeats';

const call = (result: string, args: unknown = {}): CallOutcome => ({ name: 'show', args, result });

/** Plays turns one after another and hands out what became of each. */
function play(...turns: readonly CallOutcome[][]): Repeats[] {
  let before: Repeats['repeats'] = [];
  return turns.map((turn) => {
    const after = followRepeats(before, turn);
    before = after.repeats;
    return after;
  });
}

const toldIn = (all: readonly Repeats[]) =>
  all.map(({ results }) => results.map((text) => text.includes('running')));

describe('followRepeats', () => {
  it('C9: tells the model in the third result and closes after the fourth', () => {
    const all = play([call('same')], [call('same')], [call('same')], [call('same')]);
    expect(toldIn(all)).toEqual([[false], [false], [true], [false]]);
    expect(all.map(({ closing }) => closing?.limit)).toEqual([
      ...[undefined, undefined, undefined],
      'repeated_tool_call',
    ]);
    expect(all[2]?.results[0]).toMatch(/^same\n\n\[This call/);
  });

  it.each([
    ['another result', [call('other')]],
    ['other arguments', [call('same', { a: 1 })]],
    ['a turn without it', [{ ...call('same'), name: 'other' }]],
  ])('begins anew after %s', (_what, between) => {
    const all = play([call('same')], [call('same')], between, [call('same')], [call('same')]);
    expect(toldIn(all).flat().some(Boolean)).toBe(false);
  });

  it('follows every call of a turn on its own', () => {
    const turn = (n: number) => [call(`fresh ${n}`, { a: 1 }), call('same', { a: 2 })];
    const all = play(turn(1), turn(2), turn(3), turn(4));
    expect(toldIn(all)[2]).toEqual([false, true]);
    expect(all[3]?.closing).not.toBeNull();
  });

  it('counts the same call once a turn, since its results are seen afterwards', () => {
    const all = play([call('same'), call('same'), call('same'), call('same'), call('same')]);
    expect(all[0]?.closing).toBeNull();
    expect(all[0]?.repeats).toMatchObject([{ times: 1 }]);
  });
});

describe('resultFingerprint', () => {
  it.each([
    ['R1#show clock\n*10:11:12.123 UTC Mon', 'R1#show clock\n*10:11:13.456 UTC Mon'],
    ['up 3 minutes, 2 seconds', 'up 4 minutes, 59 seconds'],
    ['rtt min/avg/max = 1/2/4 ms', 'rtt min/avg/max = 1/3/9 ms'],
    ['at 2026-01-31T12:00:00.123Z', 'at 2026-01-31 12:05:00'],
    ['last input 1w2d', 'last input 2d03h'],
    ['job 0b8f3c1e-0000-4000-8000-000000000001', 'job 0b8f3c1e-0000-4000-8000-00000000000f'],
  ])('does not tell %j from %j', (one, other) => {
    expect(resultFingerprint(one)).toBe(resultFingerprint(other));
  });

  it.each([
    ['GigabitEthernet0/0 is up', 'GigabitEthernet0/0 is down'],
    ['192.0.2.1', '192.0.2.2'],
    ['5 packets input', '6 packets input'],
    ['success rate is 80 percent', 'success rate is 100 percent'],
  ])('tells %j from %j', (one, other) => {
    expect(resultFingerprint(one)).not.toBe(resultFingerprint(other));
  });

  it('is soon done with a megabyte that is all digits and slashes', () => {
    const begun = performance.now();
    resultFingerprint('1/'.repeat(500_000));
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

describe('callFingerprint', () => {
  it('does not depend on the order of the arguments', () => {
    expect(callFingerprint('t', { a: 1, b: { c: 2, d: 3 } })).toBe(
      callFingerprint('t', { b: { d: 3, c: 2 }, a: 1 }),
    );
  });

  it('depends on the tool and on every argument', () => {
    const prints = [
      callFingerprint('t', {}),
      callFingerprint('u', {}),
      callFingerprint('t', { a: 1 }),
      callFingerprint('t', { a: [1] }),
      callFingerprint('t', { a: '1' }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});
