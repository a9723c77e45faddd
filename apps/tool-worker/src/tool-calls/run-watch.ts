import type { RunSignals } from '@copilot/events';
import type { Logger } from '@copilot/observability';
import type { RunStanding } from '@copilot/persistence';

type Read = (runId: string) => Promise<RunStanding>;

/** Why a call has to stop with its run. */
export type RunOver = 'deadline' | 'cancelled' | 'ended';

/** Watches a call's run while the call executes: its deadline, which may be moved, its cancelling, its end. */
export class RunWatch {
  private readonly stop = new AbortController();
  private readonly stopListening: () => void;
  private timer: NodeJS.Timeout | undefined;
  private cause: RunOver | undefined;
  private latest: RunStanding | undefined;

  constructor(
    runId: string,
    signals: RunSignals,
    private readonly read: () => Promise<RunStanding>,
    private readonly log: Logger,
  ) {
    this.stopListening = signals.listen(runId, () => void this.look());
  }

  /** Sets or moves the deadline. */
  keepTo(remainingMs: number): void {
    clearTimeout(this.timer);
    if (this.stop.signal.aborted) return;
    this.timer = setTimeout(() => this.end('deadline'), Math.max(0, remainingMs));
  }

  /** Aborted when the call has to stop. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  get over(): RunOver | undefined {
    return this.cause;
  }

  /** As they were changed while the call executes; nothing when they were not. */
  get changedLimits(): Record<string, unknown> | undefined {
    return this.latest?.effectiveLimits;
  }

  close(): void {
    this.stopListening();
    clearTimeout(this.timer);
  }

  private async look(): Promise<void> {
    try {
      const standing = await this.read();
      const { ended, cancelRequested, remainingMs } = standing;
      this.latest = standing;
      if (ended) return this.end('ended');
      if (cancelRequested) return this.end('cancelled');
      this.keepTo(remainingMs);
    } catch (err) {
      this.log.warn({ err }, 'a signal could not be read about');
    }
  }

  private end(cause: RunOver): void {
    this.cause ??= cause;
    // At a deadline tools give what they have, as after their own time-out.
    this.stop.abort(
      cause === 'deadline' ? new DOMException('the time of the run is over', 'TimeoutError') : undefined,
    );
  }
}

/** Makes the watches of this worker. */
export class RunWatches {
  constructor(
    private readonly signals: RunSignals,
    private readonly read: Read,
    private readonly log: Logger,
  ) {}

  /** To be made before the call is claimed: a signal after the claim is then heard. */
  of(runId: string): RunWatch {
    return new RunWatch(runId, this.signals, () => this.read(runId), this.log);
  }
}
