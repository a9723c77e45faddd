import { describe, expect, it } from '@jest/globals';
import { acceptedOnce } from './accepted-once';
import type { Evidence } from './evidence';
import { evidence, run, sent } from './testing/evidence';

describe('each message is accepted as exactly one run', () => {
  it.each<[string, Partial<Evidence>, RegExp]>([
    [
      'was never accepted',
      { messages: [sent(1, { acceptedAt: undefined, runIds: [] })], runs: [] },
      /never accepted/,
    ],
    ['was accepted and is gone', { runs: [] }, /has no run/],
    ['became two runs', { runs: [run(1), run(1, { runId: 'other' })] }, /became 2 runs/],
    ['was given two run ids', { messages: [sent(1, { runIds: ['run-1', 'other'] })] }, /named the runs/],
    ['was given a run that is not there', { messages: [sent(1, { runIds: ['other'] })] }, /is not there/],
    ['lost its key', { runs: [run(1, { key: null })] }, /has the key null/],
    ['was answered with a 500', { messages: [sent(1, { surprises: ['message: 500'] })] }, /500/],
  ])('fails for one that %s', (_, broken, text) => {
    expect(acceptedOnce.breaches(evidence(broken)).join('\n')).toMatch(text);
  });
});
