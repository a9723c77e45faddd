import { NO_RANK } from './no-rank';
import type { Vocabulary } from './vocabulary';

/** Up to this many bytes, looking through all pairs for the lowest rank beats the upkeep of a heap. */
export const SHORT_BYTES = 24;

const token = new Int32Array(SHORT_BYTES + 1);
const pairRank = new Int32Array(SHORT_BYTES + 1);

/** Number of tokens of the first `length` bytes, merged as `Merger` does it; at most SHORT_BYTES of them. */
export function countShort(bytes: Uint8Array, length: number, vocabulary: Vocabulary): number {
  let count = length;
  token[0] = vocabulary.rankOfByte(bytes[0] ?? 0);
  for (let i = 1; i < length; i++) {
    token[i] = vocabulary.rankOfByte(bytes[i] ?? 0);
    pairRank[i - 1] = vocabulary.rankOfBytePair(bytes[i - 1] ?? 0, bytes[i] ?? 0);
  }
  for (;;) {
    const lowest = lowestPair(count - 1);
    if (lowest < 0) return count;
    const rank = pairRank[lowest] ?? NO_RANK;
    count--;
    token[lowest] = rank;
    for (let i = lowest + 1; i < count; i++) {
      token[i] = token[i + 1] ?? NO_RANK;
      pairRank[i - 1] = pairRank[i] ?? NO_RANK;
    }
    if (lowest < count - 1) pairRank[lowest] = vocabulary.rankOfJoined(rank, token[lowest + 1] ?? NO_RANK);
    if (lowest > 0) pairRank[lowest - 1] = vocabulary.rankOfJoined(token[lowest - 1] ?? NO_RANK, rank);
  }
}

/** Leftmost of the first `pairs` pairs with the lowest rank, -1 if none can be joined. */
function lowestPair(pairs: number): number {
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
