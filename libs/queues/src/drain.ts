/** The two stages of a shutdown: no further step is begun; then the steps under way are given up. */
export class Drain {
  private readonly begun = new AbortController();
  private readonly over = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  readonly draining = this.begun.signal;
  readonly drained = this.over.signal;

  begin(timeoutMs: number): void {
    this.begun.abort();
    this.timer = setTimeout(() => this.over.abort(), timeoutMs);
  }

  /** Everything has been finished or handed back. */
  end(): void {
    clearTimeout(this.timer);
  }
}
