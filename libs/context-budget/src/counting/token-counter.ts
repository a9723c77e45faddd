import cl100kRanks from 'js-tiktoken/ranks/cl100k_base';
import o200kRanks from 'js-tiktoken/ranks/o200k_base';
import { countLongPiece } from './long-piece';
import { Merger } from './merge';
import { PieceCache } from './piece-cache';
import { NO_RANK } from './no-rank';
import { nextCl100kPiece, nextO200kPiece, type NextPiece } from './pieces';
import { SHORT_BYTES, ShortMerger } from './short-merge';
import { runNow, runYielding, STRETCH_CHARS, type Steps } from './steps';
import { MAX_BYTES_PER_UNIT, writeUtf8 } from './utf8';
import { type Ranks, Vocabulary } from './vocabulary';

export const ENCODINGS = ['cl100k_base', 'o200k_base'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A longer piece is counted block by block. */
const LONG_PIECE_CHARS = 1_024;

const SOURCES: Record<Encoding, { ranks: Ranks; nextPiece: NextPiece }> = {
  cl100k_base: { ranks: cl100kRanks, nextPiece: nextCl100kPiece },
  o200k_base: { ranks: o200kRanks, nextPiece: nextO200kPiece },
};

/**
 * Counts tokens exactly as js-tiktoken does, in time that grows with the text's length only. Special tokens
 * such as `<|endoftext|>` are plain text here: what a user or a device writes is never a control token.
 */
export class TokenCounter {
  private readonly vocabulary: Vocabulary;
  private readonly merger: Merger;
  private readonly shortMerger: ShortMerger;
  private readonly nextPiece: NextPiece;
  private readonly cache = new PieceCache();
  private readonly bytes = new Uint8Array(LONG_PIECE_CHARS * MAX_BYTES_PER_UNIT);

  constructor(readonly encoding: Encoding) {
    const { ranks, nextPiece } = SOURCES[encoding];
    this.vocabulary = new Vocabulary(ranks);
    this.merger = new Merger(this.vocabulary);
    this.shortMerger = new ShortMerger(this.vocabulary);
    this.nextPiece = nextPiece;
  }

  /** Tokens of `text`. Blocks for about 0.1 µs a character; use `countAsync` for text of unknown size. */
  count(text: string): number {
    return runNow(this.countSteps(text));
  }

  /** Tokens of `text`, giving the event loop back every few milliseconds. */
  countAsync(text: string, yieldNow: () => Promise<void>): Promise<number> {
    return runYielding(this.countSteps(text), yieldNow);
  }

  /** The count as stretches of work, to be run by `runNow` or `runYielding`. */
  *countSteps(text: string): Steps<number> {
    let tokens = 0;
    let index = 0;
    let pause = STRETCH_CHARS;
    while (index < text.length) {
      const end = this.nextPiece(text, index);
      if (end - index > LONG_PIECE_CHARS) {
        tokens += yield* countLongPiece(new TextEncoder().encode(text.slice(index, end)), this.merger);
      } else {
        tokens += this.countPiece(text, index, end);
      }
      index = end;
      if (index >= pause) {
        pause = index + STRETCH_CHARS;
        yield;
      }
    }
    return tokens;
  }

  private countPiece(text: string, start: number, end: number): number {
    const { bytes } = this;
    const length = writeUtf8(text, start, end, bytes);
    if (length === 1) return 1;
    if (length === 2) return this.vocabulary.rankOfBytePair(bytes[0] ?? 0, bytes[1] ?? 0) === NO_RANK ? 2 : 1;
    let hash = 0;
    for (let i = 0; i < length; i++) hash = Vocabulary.extendHash(hash, bytes[i] ?? 0);
    if (this.vocabulary.rankOf(bytes, 0, length, hash) !== NO_RANK) return 1;
    const known = this.cache.get(bytes, length, hash);
    if (known > 0) return known;
    const count =
      length > SHORT_BYTES ? this.merger.merge(bytes, 0, length) : this.shortMerger.merge(bytes, 0, length);
    this.cache.set(bytes, length, hash, count);
    return count;
  }
}

const counters = new Map<Encoding, TokenCounter>();

/** The process's counter for an encoding, built on first use (about 0.2 s) and kept. */
export function tokenCounter(encoding: Encoding = 'cl100k_base'): TokenCounter {
  const known = counters.get(encoding);
  if (known) return known;
  const counter = new TokenCounter(encoding);
  counters.set(encoding, counter);
  return counter;
}
