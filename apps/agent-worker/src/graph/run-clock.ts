/** A run's time since its first step, on this worker's steady clock from where the database's left off. */
export class RunClock {
  /** Aborts at the run's deadline. */
  readonly deadline: AbortSignal;
  private readonly beganMs: number;
  private readonly deadlineMs: number;

  constructor({ elapsedMs, remainingMs }: { readonly elapsedMs: number; readonly remainingMs: number }) {
    this.beganMs = performance.now() - elapsedMs;
    this.deadlineMs = elapsedMs + remainingMs;
    this.deadline = AbortSignal.timeout(Math.max(0, remainingMs));
  }

  /** Never less than the deadline once that has struck: a timer may be a little early. */
  get elapsedMs(): number {
    const elapsedMs = performance.now() - this.beganMs;
    return this.deadline.aborted ? Math.max(this.deadlineMs, elapsedMs) : elapsedMs;
  }
}
