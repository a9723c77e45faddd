/** A key is a rank, of at most 18 bits, with the position below it: an integer that fits 31 bits. */
const POSITION_BITS = 13;
const POSITION_MASK = (1 << POSITION_BITS) - 1;
const ABSENT = 0x7fffffff;
/** The most positions of one tree. */
export const POSITIONS = 1 << POSITION_BITS;

/**
 * The pairs of a piece by rank, as a heap with a fixed place for each position: a tree over the positions whose
 * nodes hold the lowest key below them. A changed pair costs a walk towards the root that ends where nothing
 * changes, and no outdated entry is ever left behind, which is what slows an ordinary heap down here.
 */
export class RankTree {
  private keys = new Int32Array(16);
  private leaves = 8;

  /** Makes room for `length` positions, at most POSITIONS, all absent. Fill with `put`, then `build`. */
  clear(length: number): void {
    this.leaves = 2;
    while (this.leaves < length) this.leaves *= 2;
    if (this.keys.length < this.leaves * 2) this.keys = new Int32Array(this.leaves * 2);
    this.keys.fill(ABSENT, this.leaves + length, this.leaves * 2);
  }

  put(position: number, rank: number): void {
    this.keys[this.leaves + position] = rank < 0 ? ABSENT : (rank << POSITION_BITS) | position;
  }

  build(): void {
    const { keys } = this;
    for (let node = this.leaves - 1; node > 0; node--) {
      const left = keys[node * 2] ?? ABSENT;
      const right = keys[node * 2 + 1] ?? ABSENT;
      keys[node] = left < right ? left : right;
    }
  }

  /** Changes the rank at a position; a negative one removes it. */
  set(position: number, rank: number): void {
    const { keys } = this;
    let node = this.leaves + position;
    keys[node] = rank < 0 ? ABSENT : (rank << POSITION_BITS) | position;
    for (node >>= 1; node > 0; node >>= 1) {
      const left = keys[node * 2] ?? ABSENT;
      const right = keys[node * 2 + 1] ?? ABSENT;
      const lowest = left < right ? left : right;
      if (keys[node] === lowest) return;
      keys[node] = lowest;
    }
  }

  /** Leftmost position of the lowest rank, -1 if there is none. */
  lowestPosition(): number {
    const key = this.keys[1] ?? ABSENT;
    return key === ABSENT ? -1 : key & POSITION_MASK;
  }

  lowestRank(): number {
    return (this.keys[1] ?? ABSENT) >> POSITION_BITS;
  }
}
