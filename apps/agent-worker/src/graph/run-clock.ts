/** A run's time since its first step, on this worker's steady clock from where the database's left off. */
export class RunClock {
  private readonly beganMs: number;
  private readonly deadlineMs: number;
  private readonly struck = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor({ elapsedMs, remainingMs }: { readonly elapsedMs: number; readonly remainingMs: number }) {
    this.beganMs = performance.now() - elapsedMs;
    this.deadlineMs = elapsedMs + remainingMs;
    this.timer = setTimeout(() => this.struck.abort(), Math.max(0, remainingMs));
    // A claim that was forgotten must not keep a worker from ending.
    this.timer.unref();
  }

  /** Aborted at the run's deadline. */
  get deadline(): AbortSignal {
    return this.struck.signal;
  }

  /** Never less than the deadline once that has struck: a timer may be a little early. */
  get elapsedMs(): number {
    const elapsedMs = performance.now() - this.beganMs;
    return this.deadline.aborted ? Math.max(this.deadlineMs, elapsedMs) : elapsedMs;
  }

  get remainingMs(): number {
    return Math.max(0, this.deadlineMs - this.elapsedMs);
  }

  /** The deadline strikes no more: the claim has ended. */
  stop(): void {
    clearTimeout(this.timer);
  }
}
