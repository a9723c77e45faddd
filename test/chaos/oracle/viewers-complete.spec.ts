import { describe, expect, it } from '@jest/globals';
import type { SeenFrame, Viewing } from '../clients/sent-message';
import { evidence, framesOf } from './testing/evidence';
import { viewersComplete } from './viewers-complete';

function breaches(frames: readonly SeenFrame[], more: Partial<Viewing> = {}): string {
  const viewing = { viewer: 'v', runId: 'run-1', frames, connections: 2, finished: true, ...more };
  return viewersComplete.breaches(evidence({ viewings: [viewing] })).join('\n');
}

const all = framesOf(1);
const changed = (index: number, frame: Partial<SeenFrame>) =>
  all.map((old, at) => (at === index ? { ...old, ...frame } : old));

describe('each viewer gets every event once and in order', () => {
  it.each<[string, readonly SeenFrame[], RegExp]>([
    ['lacks a frame in the middle', all.filter((_, index) => index !== 2), /frame 3/],
    ['got a frame twice', [...all.slice(0, 3), ...all.slice(2)], /frame 4/],
    [
      'got two frames in the wrong order',
      [...all.slice(0, 1), ...all.slice(1, 3).reverse(), ...all.slice(3)],
      /frame 2/,
    ],
    ['got a frame of its own', [...all, ...all.slice(-1)], /one too many/],
    ['got another text', changed(1, { data: { type: 'content', content: 'x' } }), /frame 2/],
    ['got another id', changed(1, { id: 'run-2/1' }), /frame 2/],
    ['got text without an id', changed(1, { id: undefined }), /frame 2/],
  ])('fails for one that %s', (_, frames, text) => {
    expect(breaches(frames)).toMatch(text);
  });

  it('fails for one that was not sent the end', () => {
    expect(breaches(all.slice(0, -1), { finished: false })).toMatch(/not sent done/);
    expect(breaches(all.slice(0, -1))).toMatch(/1 frames are missing/);
  });

  it('takes an end that came from the row', () => {
    expect(breaches(changed(all.length - 1, { id: undefined }))).toBe('');
  });
});
