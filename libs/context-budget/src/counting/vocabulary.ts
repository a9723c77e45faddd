import { NO_RANK } from './no-rank';
import { PairTable } from './pair-table';

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
    this.joined = this.joinTokens(tokens.length);
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

  /** Rank of the token whose bytes are those of the token `left` followed by those of `right`. */
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

  /** Every way to make a token of two others. */
  private joinTokens(tokenCount: number): PairTable {
    const joined = new PairTable(tokenCount * 3);
    for (let rank = 0; rank < tokenCount; rank++) {
      const start = this.starts[rank] ?? 0;
      const end = this.starts[rank + 1] ?? 0;
      let leftHash = 0;
      for (let cut = start + 1; cut < end; cut++) {
        leftHash = Vocabulary.extendHash(leftHash, this.bytes[cut - 1] ?? 0);
        const left = this.rankOf(this.bytes, start, cut, leftHash);
        if (left === NO_RANK) continue;
        const right = this.rankOf(this.bytes, cut, end, this.hashOf(cut, end));
        if (right !== NO_RANK) joined.set(left, right, rank);
      }
    }
    return joined;
  }

  private hashOf(start: number, end: number): number {
    let hash = 0;
    for (let i = start; i < end; i++) hash = Vocabulary.extendHash(hash, this.bytes[i] ?? 0);
    return hash;
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
