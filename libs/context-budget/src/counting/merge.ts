import { NO_RANK } from './no-rank';
import { POSITIONS, RankTree } from './rank-tree';
import type { Vocabulary } from './vocabulary';

/** The most bytes that can be merged in one go. */
export const LONGEST_MERGE = POSITIONS;

/**
 * Byte pair merging exactly as js-tiktoken does it: always the leftmost of the adjacent pairs with the lowest
 * rank. js-tiktoken looks for it from the start each time, which is quadratic; here a heap holds the pairs.
 * One instance holds the scratch space, so results must be read before the next merge.
 */
export class Merger {
  /** Parts as a linked list by the offset of their first byte, relative to the range. */
  private next = new Int32Array(0);
  private previous = new Int32Array(0);
  /** The token that a part is. */
  private token = new Int32Array(0);
  /** Rank of each part joined with the part after it. */
  private readonly pairs = new RankTree();
  private length = 0;

  constructor(private readonly vocabulary: Vocabulary) {}

  /** Number of tokens of `bytes[start..end)`, at most LONGEST_MERGE bytes. */
  merge(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > LONGEST_MERGE) throw new RangeError(`${length} bytes cannot be merged in one go`);
    this.load(bytes, start, length);
    let count = length;
    for (let part = this.pairs.lowestPosition(); part >= 0; part = this.pairs.lowestPosition()) {
      this.join(part, this.pairs.lowestRank());
      count--;
    }
    return count;
  }

  /** End of the first token of the last merge, relative to the merged range. */
  firstEnd(): number {
    return this.next[0] ?? 0;
  }

  /** Ends of the last merge's tokens, relative to the merged range. */
  ends(): number[] {
    const ends: number[] = [];
    for (let part = 0; part < this.length;) {
      part = this.next[part] ?? this.length;
      ends.push(part);
    }
    return ends;
  }

  private load(bytes: Uint8Array, start: number, length: number): void {
    if (this.next.length < length) this.reserve(length * 2);
    this.length = length;
    const { token, next, previous, pairs, vocabulary } = this;
    pairs.clear(length);
    for (let i = 0; i < length; i++) {
      const byte = bytes[start + i] ?? 0;
      token[i] = vocabulary.rankOfByte(byte);
      next[i] = i + 1;
      previous[i] = i - 1;
      pairs.put(i, i + 1 < length ? vocabulary.rankOfBytePair(byte, bytes[start + i + 1] ?? 0) : NO_RANK);
    }
    pairs.build();
  }

  private reserve(capacity: number): void {
    this.next = new Int32Array(capacity);
    this.previous = new Int32Array(capacity);
    this.token = new Int32Array(capacity);
  }

  /** Joins the part at `index` with the one after it, which makes `rank`, and renews the pairs this touches. */
  private join(index: number, rank: number): void {
    const { token, next, previous, pairs, vocabulary } = this;
    const joined = next[index] ?? 0;
    const following = next[joined] ?? 0;
    token[index] = rank;
    next[index] = following;
    pairs.set(joined, NO_RANK);
    if (following < this.length) {
      previous[following] = index;
      pairs.set(index, vocabulary.rankOfJoined(rank, token[following] ?? NO_RANK));
    } else {
      pairs.set(index, NO_RANK);
    }
    const before = previous[index] ?? NO_RANK;
    if (before >= 0) pairs.set(before, vocabulary.rankOfJoined(token[before] ?? NO_RANK, rank));
  }
}
