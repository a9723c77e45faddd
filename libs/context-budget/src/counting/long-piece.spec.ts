import { describe, expect, it } from '@jest/globals';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { hostileTexts } from '../testing/texts';
import { countLongPiece } from './long-piece';
import { Merger } from './merge';
import { countShort, SHORT_BYTES } from './short-merge';
import { runNow } from './steps';
import { Vocabulary } from './vocabulary';

const vocabulary = new Vocabulary(cl100k);
const merger = new Merger(vocabulary);

/** Base64 tokens `byte values as characters`, ranked in the order given after all single bytes. */
function vocabularyOf(...tokens: string[]): Vocabulary {
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  return new Vocabulary({ bpe_ranks: `! 0 ${[...bytes, ...tokens].map((token) => btoa(token)).join(' ')}` });
}

describe('countLongPiece', () => {
  it('counts block by block what one merge of the whole counts', () => {
    for (const text of hostileTexts(5_000, 3)) {
      const bytes = new TextEncoder().encode(text);
      expect(runNow(countLongPiece(bytes, merger))).toBe(merger.merge(bytes, 0, bytes.length));
    }
  });

  it('reaches back as far as a block changes what stands before it', () => {
    // The longer ending is joined first, so each further letter undoes every pair before it.
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const pairs = Array.from({ length: 25 }, (_, index) => letters.slice(24 - index, 26 - index));
    const chained = new Merger(vocabularyOf(...pairs));
    const alphabets = new TextEncoder().encode(letters.repeat(200));
    expect(runNow(countLongPiece(alphabets, chained))).toBe(13 * 200);
    expect(chained.merge(alphabets, 0, alphabets.length)).toBe(13 * 200);
  });

  it('merges short ranges exactly as the heap does', () => {
    for (const text of hostileTexts(SHORT_BYTES, 9)) {
      const bytes = new TextEncoder().encode(text);
      for (let length = 1; length <= SHORT_BYTES; length++) {
        expect(countShort(bytes, length, vocabulary)).toBe(merger.merge(bytes, 0, length));
      }
    }
  });
});

describe('Vocabulary', () => {
  it('refuses ranks that hold no encoding', () => {
    expect(() => new Vocabulary({ bpe_ranks: '' })).toThrow('could not be read');
  });
});
