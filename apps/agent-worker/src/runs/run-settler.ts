import { MAX_REDELIVERIES } from '@copilot/contracts';
import { signalRun } from '@copilot/events';
import type { ClaimedRun, RunControlRepository } from '@copilot/persistence';
import type { RunQueue, SettleDelivery } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import type { RunAnnouncer } from './run-announcer';
import type { RunConclusion } from './run-conclusion';
import type { RunHolds } from './run-hold';
import type { StepFailures } from './step-failures';

interface Dependencies {
  readonly control: RunControlRepository;
  readonly queue: RunQueue;
  readonly holds: RunHolds;
  readonly conclusion: RunConclusion;
  readonly failures: StepFailures;
  readonly announcer: RunAnnouncer;
  readonly redis: RedisClient;
  readonly workerName: string;
}

/** Ends runs from outside: takes the claim from whoever has it, or from nobody, and concludes the run. */
export class RunSettler {
  constructor(private readonly its: Dependencies) {}

  async settle(delivery: SettleDelivery, lockLost: AbortSignal): Promise<void> {
    const settling = await this.its.control.takeToSettle(delivery.runId, this.its.workerName);
    switch (settling.type) {
      case 'ended':
        return await this.its.announcer.announceEnd(delivery.runId);
      case 'not-due':
        // Its enqueueing may have been lost together with the settling before this one.
        if (settling.next) await this.its.queue.enqueue(settling.next);
        // The deadline was moved, or who holds the run still has a moment to end it in order.
        if (settling.inMs !== null) await delivery.postpone(settling.inMs);
        return;
      case 'lapsed':
        return await this.its.queue.enqueue(settling.next);
      case 'taken':
        return await this.end(settling.claimed, delivery, lockLost);
    }
  }

  private async end(claimed: ClaimedRun, delivery: SettleDelivery, lockLost: AbortSignal): Promise<void> {
    const hold = this.its.holds.of(claimed, lockLost);
    try {
      // Whoever still works on it, a call or a former claim, stops now instead of at its next write.
      await signalRun(this.its.redis, claimed.claim.runId);
      const session = await hold.open();
      if (isLostTooOften(claimed)) await this.its.conclusion.giveUp(hold, session);
      else await this.its.conclusion.conclude(hold, session);
    } catch (error) {
      await this.its.failures.handle(error, hold, lockLost, () => delivery.handBack());
    } finally {
      hold.close();
    }
  }
}

/** A cancel or a deadline says more of why it ends than that it was lost. */
function isLostTooOften({ run, remainingMs }: ClaimedRun): boolean {
  return run.redeliveries > MAX_REDELIVERIES && run.cancelRequestedAt === null && remainingMs > 0;
}
