import { LONGEST_MERGE, type Merger } from './merge';
import type { Steps } from './steps';

/** Bytes merged at a time: small enough for the heap to stay in the processor's cache. */
const BLOCK_BYTES = 512;
/** Tokens before a block that are merged again with it. */
const OVERLAP_TOKENS = 1;

/**
 * Tokens of a long piece, block by block, without losing exactness. Two facts make that possible. Both sides
 * of a token boundary are encoded as if the other did not exist. And a boundary between two encoded sides is
 * a real one exactly if the two tokens that touch there, encoded together, stay those two tokens: a merge
 * across it would have to join parts of just these. So each block is merged with the last tokens before it,
 * reaching further back until the boundary in front holds. With the encodings that exist one token is nearly
 * always enough; a boundary that does not hold `longest` bytes back is taken for one, at a margin of a token.
 */
export function* countLongPiece(bytes: Uint8Array, merger: Merger, longest = LONGEST_MERGE): Steps<number> {
  let settled = 0;
  let ends: number[] = [];
  for (let done = 0; done < bytes.length;) {
    const blockEnd = Math.min(done + BLOCK_BYTES, bytes.length);
    for (let overlap = OVERLAP_TOKENS; ; overlap *= 4) {
      const kept = Math.max(0, ends.length - overlap);
      const from = endOf(ends, kept);
      const tooFar = blockEnd - from > longest;
      const start = tooFar ? done : from;
      merger.merge(bytes, start, blockEnd);
      const tokens: number[] = [];
      merger.appendEnds(tokens, start);
      if (tooFar) settled += 1;
      else if (kept > 0 && !isBoundary(bytes, merger, endOf(ends, kept - 1), from, endOf(tokens, 1)))
        continue;
      else ends.length = kept;
      for (const end of tokens) ends.push(end);
      break;
    }
    done = blockEnd;
    // No block reaches back over more tokens than this.
    if (ends.length > 2 * longest) {
      settled += ends.length - longest;
      ends = ends.slice(-longest);
    }
    yield;
  }
  return settled + ends.length;
}

/** Where the first `count` tokens end. */
function endOf(ends: readonly number[], count: number): number {
  return count <= 0 ? 0 : (ends[count - 1] ?? 0);
}

function isBoundary(
  bytes: Uint8Array,
  merger: Merger,
  start: number,
  boundary: number,
  end: number,
): boolean {
  return merger.merge(bytes, start, end) === 2 && merger.firstEnd() === boundary - start;
}
