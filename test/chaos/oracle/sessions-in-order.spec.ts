import { describe, expect, it } from '@jest/globals';
import type { Evidence } from './evidence';
import { sessionsInOrder } from './sessions-in-order';
import { evidence, run, sent } from './testing/evidence';

const breaches = (more: Partial<Evidence>) => sessionsInOrder.breaches(evidence(more, [1, 2])).join('\n');
const model = (asked: Evidence['model']['asked'], last = [1, 2]): Partial<Evidence> => ({
  model: { faults: [], asked, lastWords: new Map([['s', last]]) },
});

describe('the runs of a session', () => {
  it.each<[string, Partial<Evidence>, RegExp]>([
    ['two at once', { runs: [run(1), run(2, { startedAt: 1_500 })] }, /had not ended/],
    [
      'one that began while the one before it waits for ever',
      { runs: [run(1, { endedAt: null }), run(2)] },
      /had not ended/,
    ],
    [
      'one that was accepted later and comes first',
      { runs: [run(1, { sequence: 9, startedAt: 5_000, endedAt: 6_000 }), run(2)] },
      /chat 2 overtook chat 1/,
    ],
    ['a conversation out of order', model([{ chat: 2, conversation: [2, 1] }]), /out of order/],
    ['a message that later ones do not know', model([{ chat: 2, conversation: [2] }]), /chat 1 is missing/],
    ['a message that the last word does not know', model([], [2]), /chat 1 is missing/],
  ])('fails for %s', (_, broken, text) => {
    expect(breaches(broken)).toMatch(text);
  });

  it('takes messages that were sent at once in any order, and a cancelled one that was never begun', () => {
    expect(
      breaches({
        messages: [sent(1, { sentAt: 200, acceptedAt: 250 }), sent(2, { sentAt: 200 })],
        runs: [run(1, { sequence: 9, startedAt: 5_000, endedAt: 6_000 }), run(2)],
        ...model([], [2, 1]),
      }),
    ).toBe('');
    const neverBegun = run(1, {
      status: 'cancelled',
      stopReason: 'aborted',
      startedAt: null,
      endedAt: 9_000,
    });
    expect(
      breaches({
        runs: [neverBegun, run(2, { startedAt: 9_500 })],
        ...model([{ chat: 2, conversation: [2] }], [2]),
      }),
    ).toBe('');
  });
});
