import { NO_RANK } from './no-rank';
import type { Vocabulary } from './vocabulary';

/** Up to this many bytes, looking through all pairs for the lowest rank beats the upkeep of a heap. */
export const SHORT_BYTES = 24;

/** Merges as `Merger` does it, for pieces whose length is bounded and small. */
export class ShortMerger {
  /** The tokens of the last merge, as many as it returned. */
  readonly parts: Int32Array;
  private readonly pairRank: Int32Array;

  /** `longest`: bytes of the longest piece. */
  constructor(
    private readonly vocabulary: Vocabulary,
    longest = SHORT_BYTES,
  ) {
    this.parts = new Int32Array(longest + 1);
    this.pairRank = new Int32Array(longest + 1);
  }

  /** Number of tokens of `bytes[start..start + length)`. */
  merge(bytes: Uint8Array, start: number, length: number): number {
    const { parts, pairRank, vocabulary } = this;
    let count = length;
    parts[0] = vocabulary.rankOfByte(bytes[start] ?? 0);
    for (let i = 1; i < length; i++) {
      const byte = bytes[start + i] ?? 0;
      parts[i] = vocabulary.rankOfByte(byte);
      pairRank[i - 1] = vocabulary.rankOfBytePair(bytes[start + i - 1] ?? 0, byte);
    }
    for (;;) {
      const lowest = lowestPair(pairRank, count - 1);
      if (lowest < 0) return count;
      const rank = pairRank[lowest] ?? NO_RANK;
      count--;
      parts[lowest] = rank;
      for (let i = lowest + 1; i < count; i++) {
        parts[i] = parts[i + 1] ?? NO_RANK;
        pairRank[i - 1] = pairRank[i] ?? NO_RANK;
      }
      if (lowest < count - 1) pairRank[lowest] = vocabulary.rankOfJoined(rank, parts[lowest + 1] ?? NO_RANK);
      if (lowest > 0) pairRank[lowest - 1] = vocabulary.rankOfJoined(parts[lowest - 1] ?? NO_RANK, rank);
    }
  }
}

/** Leftmost of the first `pairs` pairs with the lowest rank, -1 if none can be joined. */
function lowestPair(pairRank: Int32Array, pairs: number): number {
  let lowest = -1;
  // As an unsigned number NO_RANK is the largest.
  let lowestRank = NO_RANK >>> 0;
  for (let i = 0; i < pairs; i++) {
    const rank = (pairRank[i] ?? NO_RANK) >>> 0;
    if (rank < lowestRank) {
      lowestRank = rank;
      lowest = i;
    }
  }
  return lowest;
}
