/**
 * A run's time since its first step, on this worker's steady clock from where the database's left off. It is
 * over at the deadline, which may be moved, or when the run is cancelled.
 */
export class RunClock {
  private readonly beganMs: number;
  private deadlineMs: number;
  private struck = false;
  private stopped = false;
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout;

  /** Whether somebody has cancelled the run. */
  cancelled = false;

  constructor({ elapsedMs, remainingMs }: { readonly elapsedMs: number; readonly remainingMs: number }) {
    this.beganMs = performance.now() - elapsedMs;
    this.deadlineMs = elapsedMs + remainingMs;
    this.timer = this.timerFor(remainingMs);
  }

  /** Aborted when the run's time is over. */
  get over(): AbortSignal {
    return this.ending.signal;
  }

  /** Never less than the deadline once that has struck: a timer may be a little early. */
  get elapsedMs(): number {
    const elapsedMs = performance.now() - this.beganMs;
    return this.struck ? Math.max(this.deadlineMs, elapsedMs) : elapsedMs;
  }

  get remainingMs(): number {
    return this.cancelled ? 0 : Math.max(0, this.deadlineMs - this.elapsedMs);
  }

  /** The limit of its time was changed; a deadline that has struck stays struck. */
  moveDeadline(remainingMs: number): void {
    if (this.struck || this.stopped) return;
    clearTimeout(this.timer);
    this.deadlineMs = this.elapsedMs + remainingMs;
    this.timer = this.timerFor(remainingMs);
  }

  cancel(): void {
    this.cancelled = true;
    this.ending.abort();
  }

  /** The deadline strikes no more: the claim has ended. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private timerFor(remainingMs: number): NodeJS.Timeout {
    const timer = setTimeout(
      () => {
        this.struck = true;
        this.ending.abort(new DOMException('the time of the run is over', 'TimeoutError'));
      },
      Math.max(0, remainingMs),
    );
    // A claim that was forgotten must not keep a worker from ending.
    return timer.unref();
  }
}
