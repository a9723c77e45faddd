interface Entry<T> {
  readonly answer: Promise<T>;
  readonly until: number;
}

/**
 * Remembers answers for a short time. Whoever asks the same meanwhile gets the same answer, also while it is
 * still awaited, so that a burst of requests is one question. Failures are not remembered.
 */
export class ShortCache<T> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(
    private readonly ttlMs: number,
    private readonly maxEntries = 10_000,
  ) {}

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const known = this.entries.get(key);
    if (known && known.until > now) return known.answer;
    if (this.entries.size >= this.maxEntries) this.entries.clear();
    const entry = { answer: ask(), until: now + this.ttlMs };
    this.entries.set(key, entry);
    entry.answer.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    return entry.answer;
  }
}
