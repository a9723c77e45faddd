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
  let last: MergedBlock | undefined;
  for (let done = 0; done < bytes.length;) {
    const blockEnd = Math.min(done + BLOCK_BYTES, bytes.length);
    for (let overlap = OVERLAP_TOKENS; ; overlap *= 4) {
      const kept = Math.max(0, ends.length - overlap);
      const start = endOf(ends, kept);
      if (blockEnd - start > longest) {
        settled += 1;
        merger.merge(bytes, done, blockEnd);
        for (const end of merger.ends()) ends.push(done + end);
        break;
      }
      const block = { before: endOf(ends, kept - 1), start, end: blockEnd };
      if (!last || !sameBytes(bytes, block, last)) {
        merger.merge(bytes, start, blockEnd);
        const tokens = merger.ends();
        if (kept > 0 && !isBoundary(bytes, merger, block, start + endOf(tokens, 1))) continue;
        last = { ...block, tokens };
      }
      ends.length = kept;
      for (const end of last.tokens) ends.push(start + end);
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

/** Offsets of the token before a block, of the block, and of its end. */
interface Block {
  readonly before: number;
  readonly start: number;
  readonly end: number;
}

/** Its tokens, by where they end, from its start. A block of the same bytes has the same: runs are cheap. */
interface MergedBlock extends Block {
  readonly tokens: readonly number[];
}

function sameBytes(bytes: Uint8Array, block: Block, other: Block): boolean {
  const length = block.end - block.before;
  if (length !== other.end - other.before) return false;
  if (block.start - block.before !== other.start - other.before) return false;
  for (let i = 0; i < length; i++) {
    if (bytes[block.before + i] !== bytes[other.before + i]) return false;
  }
  return true;
}

/** Where the first `count` tokens end. */
function endOf(ends: readonly number[], count: number): number {
  return count <= 0 ? 0 : (ends[count - 1] ?? 0);
}

function isBoundary(bytes: Uint8Array, merger: Merger, { before, start }: Block, end: number): boolean {
  return merger.merge(bytes, before, end) === 2 && merger.firstEnd() === start - before;
}
