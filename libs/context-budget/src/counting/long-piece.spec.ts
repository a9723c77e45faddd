import { describe, expect, it } from '@jest/globals';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { hostileTexts } from '../testing/texts';
import { countLongPiece } from './long-piece';
import { LONGEST_MERGE, Merger } from './merge';
import { SHORT_BYTES, ShortMerger } from './short-merge';
import { runNow } from './steps';
import { Vocabulary } from './vocabulary';

const vocabulary = new Vocabulary(cl100k);
const merger = new Merger(vocabulary);

/** Base64 tokens `byte values as characters`, ranked in the order given after all single bytes. */
function vocabularyOf(...tokens: string[]): Vocabulary {
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  return new Vocabulary({ bpe_ranks: `! 0 ${[...bytes, ...tokens].map((token) => btoa(token)).join(' ')}` });
}

// The longer ending is joined first, so each further letter undoes every pair before it.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const pairs = Array.from({ length: 25 }, (_, index) => LETTERS.slice(24 - index, 26 - index));
const chained = new Merger(vocabularyOf(...pairs));
const alphabets = new TextEncoder().encode(LETTERS.repeat(200));

describe('countLongPiece', () => {
  it('counts block by block what one merge of the whole counts', () => {
    for (const text of hostileTexts(1_500, 3)) {
      const bytes = new TextEncoder().encode(text);
      expect(runNow(countLongPiece(bytes, merger))).toBe(merger.merge(bytes, 0, bytes.length));
    }
  });

  it.each([' ', '-', 'ab', '\n\t', '漢'])('counts blocks that repeat as one merge of the run: %j', (text) => {
    for (const length of [1_024, 2_047, 8_000]) {
      const run = new TextEncoder().encode(`${text.repeat(length).slice(0, length / text.length)}x`);
      const bytes = run.subarray(0, LONGEST_MERGE);
      expect(runNow(countLongPiece(bytes, merger))).toBe(merger.merge(bytes, 0, bytes.length));
    }
  });

  it('reaches back as far as a block changes what stands before it', () => {
    expect(runNow(countLongPiece(alphabets, chained))).toBe(13 * 200);
    expect(chained.merge(alphabets, 0, alphabets.length)).toBe(13 * 200);
  });

  it('is not merged whole beyond what a merge can hold', () => {
    const tooLong = new Uint8Array(LONGEST_MERGE + 1);
    expect(() => merger.merge(tooLong, 0, tooLong.length)).toThrow('8193 bytes cannot be merged in one go');
  });

  it('is never below, and little above, where a block reaches back farther than is looked', () => {
    const odd = new TextEncoder().encode(LETTERS.slice(1).repeat(200));
    const counted = runNow(countLongPiece(odd, chained, 520));
    expect(counted).toBeGreaterThan(13 * 200);
    expect(counted).toBeLessThan(13 * 200 * 1.02);
  });

  it('keeps no more ends than it can reach back over', () => {
    const letters = new TextEncoder().encode('qz'.repeat(20_000));
    expect(runNow(countLongPiece(letters, merger, 1_024))).toBe(runNow(countLongPiece(letters, merger)));
  });

  it('merges short ranges exactly as the heap does', () => {
    const short = new ShortMerger(vocabulary);
    for (const text of hostileTexts(SHORT_BYTES, 9)) {
      const bytes = new TextEncoder().encode(text);
      for (let length = 1; length <= SHORT_BYTES; length++) {
        expect(short.merge(bytes, 0, length)).toBe(merger.merge(bytes, 0, length));
      }
    }
  });
});

describe('Vocabulary', () => {
  it('refuses ranks that hold no encoding', () => {
    expect(() => new Vocabulary({ bpe_ranks: '' })).toThrow('could not be read');
  });
});
