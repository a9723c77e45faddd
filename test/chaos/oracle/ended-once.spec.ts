import { describe, expect, it } from '@jest/globals';
import { endedOnce } from './ended-once';
import type { Evidence } from './evidence';
import { evidence, framesOf, planOf, replay, run, sent } from './testing/evidence';

const breaches = (more: Partial<Evidence>) => endedOnce.breaches(evidence(more)).join('\n');
const cancelled = run(1, { status: 'cancelled', stopReason: 'aborted' });
const doneSays = (stop_reason: string) =>
  framesOf(1).map((frame) =>
    frame.data.type === 'done' ? { ...frame, data: { type: 'done', stop_reason } } : frame,
  );

describe('each accepted message ends exactly once', () => {
  it.each<[string, Partial<Evidence>, RegExp]>([
    [
      'a run that goes on for ever',
      { runs: [run(1, { status: 'running', stopReason: null, endedAt: null })] },
      /is running/,
    ],
    ['an end without a time', { runs: [run(1, { endedAt: null })] }, /at the end/],
    [
      'a failure',
      { runs: [run(1, { status: 'failed', stopReason: 'error', errorCode: 'internal_error' })] },
      /internal_error/,
    ],
    [
      'an abort that nobody asked for',
      { runs: [cancelled], replays: [replay(1, doneSays('aborted'))] },
      /does not explain/,
    ],
    [
      'a limit that the request does not have',
      { runs: [run(1, { stopReason: 'max_iterations' })] },
      /does not explain/,
    ],
    ['two done', { replays: [replay(1, [...framesOf(1), ...framesOf(1).slice(-1)])] }, /2 done/],
    ['no done', { replays: [replay(1, framesOf(1).slice(0, -1))] }, /0 done/],
    [
      'something after done',
      { replays: [replay(1, [...framesOf(1), ...framesOf(1).slice(0, 1)])] },
      /ends with run/,
    ],
    ['a done that says something else', { replays: [replay(1, doneSays('aborted'))] }, /the row completed/],
    ['entries that are not sent', { replays: [{ ...replay(1), logEntries: 99 }] }, /99 entries/],
    ['no events at all', { replays: [] }, /could not be read/],
    [
      'a whole answer that says something else',
      { messages: [sent(1, { whole: { runId: 'run-1', answer: '', stopReason: 'aborted' } })] },
      /whole answer/,
    ],
  ])('fails for %s', (_, broken, text) => {
    expect(breaches(broken)).toMatch(text);
  });

  it('takes an abort of a chat that was cancelled, and a limit of one that has it', () => {
    expect(
      breaches({
        messages: [sent(1, { cancelled: true })],
        runs: [cancelled],
        replays: [replay(1, doneSays('aborted'))],
      }),
    ).toBe('');
    expect(
      breaches({
        messages: [sent(1, { plan: planOf(1, { body: { max_iterations: 2 } }) })],
        runs: [run(1, { stopReason: 'max_iterations' })],
        replays: [replay(1, doneSays('max_iterations'))],
      }),
    ).toBe('');
  });
});
