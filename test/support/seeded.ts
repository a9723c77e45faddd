/** Whole numbers from a seed, the same in every run of a test (mulberry32). */
export class Seeded {
  constructor(private state: number) {}

  /** From 0 up to but without `bound`. */
  below(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  oneOf<T>(all: readonly [T, ...T[]]): T {
    return all[this.below(all.length)] ?? all[0];
  }
}
