import { NO_RANK } from './no-rank';
import { PairTable } from './pair-table';
import { ShortMerger } from './short-merge';

/** An encoding as js-tiktoken ships it. */
export interface Ranks {
  /** Lines of `! offset token token ...`: base64 tokens whose ranks count up from the offset. */
  readonly bpe_ranks: string;
}

/**
 * The tokens of an encoding. Counting asks millions of times which token a range of bytes is, or two tokens
 * joined are; both answers come from open-addressed tables of numbers, so that no question makes a key object.
 */
export class Vocabulary {
  private readonly longestToken: number;
  private readonly bytes: Uint8Array;
  private readonly starts: Int32Array;
  private readonly hashes: Int32Array;
  private readonly slots: Int32Array;
  private readonly slotMask: number;
  private readonly byteRanks = new Int32Array(256).fill(NO_RANK);
  /** Ranks of all two-byte ranges: half of all questions are about these. */
  private readonly bytePairs = new Int32Array(1 << 16).fill(NO_RANK);
  private readonly joined: PairTable;

  constructor(ranks: Ranks) {
    const tokens = decodeRanks(ranks.bpe_ranks);
    const totalBytes = tokens.reduce((total, token) => total + token.length, 0);
    this.longestToken = tokens.reduce((longest, token) => Math.max(longest, token.length), 0);
    const slotCount = 2 ** Math.ceil(Math.log2(tokens.length * 2.5));
    this.slotMask = slotCount - 1;
    this.slots = new Int32Array(slotCount).fill(NO_RANK);
    this.starts = new Int32Array(tokens.length + 1);
    this.hashes = new Int32Array(tokens.length);
    this.bytes = new Uint8Array(totalBytes);
    tokens.forEach((token, rank) => this.add(token, rank));
    this.joined = new PairTable(tokens.length);
    this.joinHalves();
  }

  /** Hash of all bytes up to and with `byte`, from that of the bytes before it. */
  static extendHash(hash: number, byte: number): number {
    return (Math.imul(hash, 0x01000193) + byte + 1) | 0;
  }

  /** Rank of the token that `bytes[start..end)` is, where `hash` is the hash of these bytes. */
  rankOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start;
    if (length > this.longestToken) return NO_RANK;
    for (let slot = this.slotOf(hash); ; slot = (slot + 1) & this.slotMask) {
      const rank = this.slots[slot] ?? NO_RANK;
      if (rank === NO_RANK) return NO_RANK;
      if (this.hashes[rank] === hash && this.holds(rank, bytes, start, length)) return rank;
    }
  }

  rankOfByte(byte: number): number {
    return this.byteRanks[byte] ?? NO_RANK;
  }

  rankOfBytePair(first: number, second: number): number {
    return this.bytePairs[(first << 8) | second] ?? NO_RANK;
  }

  /** Rank of the token of three or more bytes that is merged from `left` and `right`. */
  rankOfJoined(left: number, right: number): number {
    return this.joined.get(left, right);
  }

  private add(token: string, rank: number): void {
    const start = this.starts[rank] ?? 0;
    let hash = 0;
    for (let i = 0; i < token.length; i++) {
      const byte = token.charCodeAt(i);
      this.bytes[start + i] = byte;
      hash = Vocabulary.extendHash(hash, byte);
    }
    this.starts[rank + 1] = start + token.length;
    this.hashes[rank] = hash;
    if (token.length === 1) this.byteRanks[token.charCodeAt(0)] = rank;
    if (token.length === 2) this.bytePairs[(token.charCodeAt(0) << 8) | token.charCodeAt(1)] = rank;
    let slot = this.slotOf(hash);
    while (this.slots[slot] !== NO_RANK) slot = (slot + 1) & this.slotMask;
    this.slots[slot] = rank;
  }

  /**
   * Tells each token of three or more bytes by the two that it is merged from. Its bytes may fall into two other
   * tokens as well, but merging them never gets there: until both halves exist it goes as if nothing stood
   * around them, and so it goes the one way that leads to the token.
   */
  private joinHalves(): void {
    const merger = new ShortMerger(this, this.longestToken);
    for (let rank = 0; rank + 1 < this.starts.length; rank++) {
      const start = this.starts[rank] ?? 0;
      const length = (this.starts[rank + 1] ?? 0) - start;
      if (length < 3) continue;
      // What makes a half has a lower rank, so it is known by now, and the token itself is not.
      if (merger.merge(this.bytes, start, length) !== 2) throw new Error(`No two tokens make token ${rank}`);
      this.joined.set(merger.parts[0] ?? NO_RANK, merger.parts[1] ?? NO_RANK, rank);
    }
  }

  private holds(rank: number, bytes: Uint8Array, start: number, length: number): boolean {
    const own = this.starts[rank] ?? 0;
    if ((this.starts[rank + 1] ?? 0) - own !== length) return false;
    for (let i = 0; i < length; i++) if (this.bytes[own + i] !== bytes[start + i]) return false;
    return true;
  }

  private slotOf(hash: number): number {
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return (mixed ^ (mixed >>> 13)) & this.slotMask;
  }
}

/** Tokens by rank, each as a string of byte values. */
function decodeRanks(lines: string): string[] {
  const tokens: string[] = [];
  for (const line of lines.split('\n')) {
    const [, offset, ...encoded] = line.split(' ');
    encoded.forEach((token, index) => (tokens[Number(offset) + index] = atob(token)));
  }
  if (tokens.length < 256) throw new Error('The tokenizer ranks could not be read');
  return tokens;
}
