import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runNow } from '../counting/steps';
import { tokenCounter } from '../counting/token-counter';
import { MessageCounter } from '../messages/message-counter';
import { corpus } from '../testing/texts';
import { shortenArguments } from './shorten-arguments';
import { shortenText } from './shorten-text';

const tokens = tokenCounter();
const counter = new MessageCounter(tokens);
const shorten = (text: string, max: number) => runNow(shortenText(text, tokens.count(text), max, counter));
const shortenJson = (json: string, max: number) =>
  runNow(shortenArguments(json, tokens.count(json), max, counter));

describe('shortenText', () => {
  it('keeps head and tail around one marker line with both figures', () => {
    const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line}`);
    const shortened = shorten(lines.join('\n'), 500).split('\n');
    const marker = shortened.findIndex((line) => line.startsWith('[...'));
    expect(shortened.slice(0, marker)).toEqual(lines.slice(0, marker));
    expect(shortened.slice(marker + 1)).toEqual(lines.slice(marker + 1 - shortened.length));
    const kept =
      tokens.count(shortened.slice(0, marker).join('\n')) +
      tokens.count(shortened.slice(marker + 1).join('\n'));
    expect(shortened[marker]).toBe(
      `[... ${tokens.count(lines.join('\n')) - kept} of ${tokens.count(lines.join('\n'))} tokens left out ...]`,
    );
  });

  it('never exceeds its limit, uses most of it, and breaks no character', () => {
    for (const piece of corpus(90, 21)) {
      const text = piece.isWellFormed() ? piece.repeat(30) : `${piece.toWellFormed()}. `.repeat(30);
      const total = tokens.count(text);
      const shortened = shorten(text, 300);
      const count = tokens.count(shortened);
      expect(count).toBeLessThanOrEqual(300);
      expect(shortened.isWellFormed()).toBe(true);
      if (total > 600) expect(count).toBeGreaterThan(120);
    }
  });

  it('leaves a text within the limit alone', () => {
    expect(shorten('short', 10)).toBe('short');
  });
});

describe('shortenArguments', () => {
  const strings = fc.string({ unit: 'binary', minLength: 0, maxLength: 40 }).map((text) => text.repeat(40));

  it('always gives valid JSON within the limit', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(strings, { maxLength: 20 }), (value, long) => {
        const shortened = shortenJson(JSON.stringify({ value, long }), 120);
        expect(() => JSON.parse(shortened) as unknown).not.toThrow();
        expect(tokens.count(shortened)).toBeLessThanOrEqual(120);
      }),
      { numRuns: 80, seed: 3 },
    );
  });

  it('turns text that is no JSON into valid JSON', () => {
    const shortened = shortenJson(`{"commands": ["${'show run '.repeat(500)}`, 200);
    expect(JSON.parse(shortened)).toEqual({ shortened: expect.stringContaining('tokens left out') });
  });
});
