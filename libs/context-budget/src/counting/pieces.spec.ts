import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { corpus } from '../testing/texts';
import { nextCl100kPiece, nextO200kPiece, type NextPiece } from './pieces';

function scan(text: string, nextPiece: NextPiece): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = nextPiece(text, start);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** One of every class the patterns tell apart, and the characters they name. */
const TELLING = [
  ...' \n\r\t\u00a0\ufeff\u2028',
  ..."'/.-<|",
  ...'aZéÉǅʰ中𝐀ſ',
  ...'1٣Ⅷ½',
  '\u0301',
  '🔥',
  '\ud83d',
  '\0',
  ...'sStTrReEvVlLmMdD',
];

describe.each([
  ['cl100k_base', nextCl100kPiece, cl100k.pat_str],
  ['o200k_base', nextO200kPiece, o200k.pat_str],
])('the %s scanner', (_encoding, nextPiece, pattern) => {
  const byPattern = (text: string) => text.match(new RegExp(pattern, 'ug')) ?? [];

  it('splits any mix of character classes as the pattern does', () => {
    const texts = fc
      .array(fc.constantFrom(...TELLING), { maxLength: 12 })
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(texts, (text) => expect(scan(text, nextPiece)).toEqual(byPattern(text))),
      { numRuns: 3_000, seed: 1 },
    );
  });

  it('splits ordinary text as the pattern does', () => {
    for (const text of corpus(900, 5)) expect(scan(text, nextPiece)).toEqual(byPattern(text));
  });
});
