import type { RunEvent } from '@copilot/contracts';
import type { RunEventWriter } from '@copilot/events';

/** Most events that one append carries; keeps Redis free for others while a fast model streams. */
const BATCH = 200;

/**
 * Appends a run's events in order with one append under way at a time: a slow Redis makes batches, not a
 * queue of commands. A refused append (the claim is lost) rejects the next flush and aborts `onRefused`.
 */
export class RunPublisher {
  private readonly waiting: RunEvent[] = [];
  private draining: Promise<void> | undefined;
  private refusal: { readonly error: unknown } | undefined;

  constructor(
    private readonly writer: RunEventWriter,
    private readonly onRefused: (error: unknown) => void,
  ) {}

  publish(event: RunEvent): void {
    if (this.refusal) return;
    this.waiting.push(event);
    this.draining ??= this.drain();
  }

  /** Resolves once everything published so far is in the log. */
  async flush(): Promise<void> {
    await this.draining;
    if (this.refusal) throw this.refusal.error;
  }

  private async drain(): Promise<void> {
    try {
      while (this.waiting.length > 0) await this.writer.append(...this.waiting.splice(0, BATCH));
    } catch (error) {
      this.refusal = { error };
      this.waiting.length = 0;
      this.onRefused(error);
    } finally {
      this.draining = undefined;
    }
  }
}
