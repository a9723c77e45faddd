import type { DeliveryOutcome } from '@copilot/queues';
import type { RunEnding } from './run-ending';
import { isClaimLoss, isOperational } from './run-failure';
import type { RunHold } from './run-hold';

/** What becomes of a delivery whose work on a held run has thrown. */
export class StepFailures {
  constructor(
    private readonly ending: RunEnding,
    private readonly drained: AbortSignal,
  ) {}

  /** Rejects with the error where the queue is to deliver the run again. */
  async handle(
    error: unknown,
    hold: RunHold,
    lockLost: AbortSignal,
    handBack: () => Promise<void>,
  ): Promise<DeliveryOutcome> {
    const { log } = hold;
    if (isClaimLoss(error)) {
      log.warn({ reason: String(error) }, 'run given up: another worker holds it');
      return 'finished';
    }
    if (lockLost.aborted) {
      // Never "finished": BullMQ also cancels by a job's id, so this may be a newer delivery to this very
      // worker that holds both lock and claim, and a job that completes here would be the run's last.
      log.warn({ reason: String(error) }, 'run given up: the lock on its job was lost');
      throw error;
    }
    if (this.drained.aborted) {
      log.info('run handed back in the middle of a step');
      // Not released: what viewers saw of the broken step is for the next worker to call off.
      await handBack();
      return 'handed-back';
    }
    if (isOperational(error)) {
      log.warn({ err: error }, 'run waits for a store to come back');
      throw error;
    }
    await this.ending.fail(hold, error);
    return 'finished';
  }
}
