const SLOTS = 1 << 14;
/** Longest piece that is remembered, in bytes. */
const KEY_BYTES = 64;
/** A shorter piece is merged as fast as it is looked up. */
const SHORTEST_BYTES = 8;

/**
 * Token counts of pieces that are no single token. Device output repeats its pieces endlessly. One slot a
 * hash, and a newcomer takes the slot: bounded by its layout, nothing to evict, and no key object is made.
 */
export class PieceCache {
  private readonly keys = new Uint8Array(SLOTS * KEY_BYTES);
  private readonly lengths = new Uint8Array(SLOTS);
  private readonly counts = new Uint8Array(SLOTS);

  /** Count of the piece of `length` bytes, 0 if it is not remembered. */
  get(bytes: Uint8Array, length: number, hash: number): number {
    if (length > KEY_BYTES || length < SHORTEST_BYTES) return 0;
    const slot = slotOf(hash);
    if (this.lengths[slot] !== length) return 0;
    const key = slot * KEY_BYTES;
    for (let i = 0; i < length; i++) if (this.keys[key + i] !== bytes[i]) return 0;
    return this.counts[slot] ?? 0;
  }

  set(bytes: Uint8Array, length: number, hash: number, count: number): void {
    if (length > KEY_BYTES || length < SHORTEST_BYTES) return;
    const slot = slotOf(hash);
    const key = slot * KEY_BYTES;
    for (let i = 0; i < length; i++) this.keys[key + i] = bytes[i] ?? 0;
    this.lengths[slot] = length;
    this.counts[slot] = count;
  }
}

function slotOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 16)) & (SLOTS - 1);
}
