import { NO_RANK } from './no-rank';

/** A slot is three numbers: left, right, value. */
const SLOT = 3;

/** An open-addressed map from two token ranks to a third; it grows to stay at most half full. */
export class PairTable {
  private slots: Int32Array;
  private mask: number;
  private size = 0;

  constructor(expected: number) {
    const slotCount = 2 ** Math.ceil(Math.log2(expected * 2));
    this.slots = new Int32Array(slotCount * SLOT).fill(NO_RANK);
    this.mask = slotCount - 1;
  }

  get(left: number, right: number): number {
    return this.slots[this.find(left, right) + 2] ?? NO_RANK;
  }

  set(left: number, right: number, value: number): void {
    if (this.size * 2 > this.mask) this.grow();
    const slot = this.find(left, right);
    this.slots[slot] = left;
    this.slots[slot + 1] = right;
    this.slots[slot + 2] = value;
    this.size++;
  }

  /** Index of the pair's slot, or of the free slot where it would be. */
  private find(left: number, right: number): number {
    const mixed = Math.imul(Math.imul(left, 0x9e3779b1) ^ right, 0x85ebca6b);
    for (let slot = (mixed ^ (mixed >>> 15)) & this.mask; ; slot = (slot + 1) & this.mask) {
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
