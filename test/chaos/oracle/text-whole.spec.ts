import { describe, expect, it } from '@jest/globals';
import type { SeenFrame } from '../clients/sent-message';
import type { Evidence } from './evidence';
import { evidence, framesOf, replay, run, sent } from './testing/evidence';
import { textLeft, textWhole } from './text-whole';

const all = framesOf(1);
const of = (type: string, more: Record<string, unknown> = {}): SeenFrame => ({
  id: 'x',
  data: { type, ...more },
});
const content = (text: string) => of('content', { content: text });
const breaches = (frames: readonly SeenFrame[], more: Partial<Evidence> = {}) =>
  textWhole.breaches(evidence({ replays: [replay(1, frames)], ...more })).join('\n');

describe('the text that viewers are left with', () => {
  it('is without what an attempt calls off', () => {
    expect(textLeft([content('a'), of('tool_end'), content('b'), of('attempt'), content('c')])).toBe('ac');
    expect(textLeft([content('a'), of('limits'), of('attempt'), content('b')])).toBe('b');
    expect(textLeft([content('a'), of('attempt'), of('attempt'), content('b')])).toBe('b');
  });

  it.each<[string, readonly SeenFrame[], RegExp]>([
    [
      'a repeated iteration that no attempt called off',
      [...all.slice(0, 4), ...all.slice(1)],
      /missing, or said twice/,
    ],
    ['an iteration that lacks its end', all.filter((_, index) => index !== 3), /are whole/],
    ['an iteration that is missing', [...all.slice(0, 1), ...all.slice(4)], /missing/],
    ['text of another chat', [content('[2.1: end] '), ...all], /another chat/],
    ['the last iteration missing', [...all.slice(0, 7), ...all.slice(-1)], /1 of 2/],
  ])('fails for %s', (_, frames, text) => {
    expect(breaches(frames)).toMatch(text);
  });

  it('takes a repeated iteration that an attempt called off, and a cut one of a cancelled run', () => {
    expect(breaches([...all.slice(0, 3), of('attempt'), ...all.slice(1)])).toBe('');
    expect(breaches(all.slice(0, 2), { runs: [run(1, { stopReason: 'aborted' })] })).toBe('');
  });

  it('is compared with the whole answer, which is the last iteration', () => {
    const whole = (answer: string) => ({
      messages: [sent(1, { whole: { runId: 'run-1', answer, stopReason: 'completed' } })],
    });
    expect(breaches(all, whole('[1.2: w0 end] '))).toBe('');
    expect(breaches(all, whole('[1.2: w0 '))).toMatch(/whole answer/);
  });
});
