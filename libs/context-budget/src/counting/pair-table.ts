import { NO_RANK } from './no-rank';

/** A slot is three numbers: left, right, value. */
const SLOT = 3;
/** Bits of the filter, 512 KB: it stays in the processor's cache where the table does not. */
const FILTER_BITS = 1 << 22;

/**
 * An open-addressed map from two token ranks to a third; it grows to stay at most half full. Most questions
 * are about pairs it does not hold; the filter answers nearly all of these without touching the table.
 */
export class PairTable {
  private slots: Int32Array;
  private mask: number;
  private size = 0;
  private readonly filter = new Int32Array(FILTER_BITS / 32);

  constructor(expected: number) {
    const slotCount = 2 ** Math.ceil(Math.log2(expected * 2));
    this.slots = new Int32Array(slotCount * SLOT).fill(NO_RANK);
    this.mask = slotCount - 1;
  }

  get(left: number, right: number): number {
    const hash = hashOf(left, right);
    const word = this.filter[(hash & (FILTER_BITS - 1)) >>> 5] ?? 0;
    if ((word & (1 << (hash & 31))) === 0) return NO_RANK;
    return this.slots[this.find(left, right, hash) + 2] ?? NO_RANK;
  }

  set(left: number, right: number, value: number): void {
    if (this.size * 2 > this.mask) this.grow();
    const hash = hashOf(left, right);
    const slot = this.find(left, right, hash);
    this.slots[slot] = left;
    this.slots[slot + 1] = right;
    this.slots[slot + 2] = value;
    this.size++;
    const word = (hash & (FILTER_BITS - 1)) >>> 5;
    this.filter[word] = (this.filter[word] ?? 0) | (1 << (hash & 31));
  }

  /** Index of the pair's slot, or of the free slot where it would be. */
  private find(left: number, right: number, hash: number): number {
    for (let slot = hash & this.mask; ; slot = (slot + 1) & this.mask) {
      const index = slot * SLOT;
      const held = this.slots[index];
      if (held === NO_RANK || (held === left && this.slots[index + 1] === right)) return index;
    }
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 2).fill(NO_RANK);
    this.mask = this.mask * 2 + 1;
    this.size = 0;
    for (let index = 0; index < old.length; index += SLOT) {
      const left = old[index] ?? NO_RANK;
      if (left !== NO_RANK) this.set(left, old[index + 1] ?? NO_RANK, old[index + 2] ?? NO_RANK);
    }
  }
}

function hashOf(left: number, right: number): number {
  const mixed = Math.imul(Math.imul(left, 0x9e3779b1) ^ right, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
