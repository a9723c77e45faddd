import { RunEventWriter } from '@copilot/events';
import type { ClaimedRun, RunsRepository } from '@copilot/persistence';
import type { DeliveryOutcome, RunDelivery, RunQueue } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import type { ToolInterrupt } from '../graph/nodes/await-tools.node';
import type { ApprovalWait } from './approval-wait';
import { lanesOf } from './lanes';
import type { RunAnnouncer } from './run-announcer';
import type { RunConclusion } from './run-conclusion';
import { auditFields, type RunEnding } from './run-ending';
import { ResultsMissingError } from './run-failure';
import type { RunHold, RunHolds } from './run-hold';
import type { StepFailures } from './step-failures';
import type { ToolTurns } from './tool-turns';

/** Claims within one delivery: one to find the calls, one to find that none of them had to be waited for. */
const MAX_ROUNDS = 100;

interface Dependencies {
  readonly runs: RunsRepository;
  readonly turns: ToolTurns;
  readonly approvals: ApprovalWait;
  readonly holds: RunHolds;
  readonly queue: RunQueue;
  readonly conclusion: RunConclusion;
  readonly ending: RunEnding;
  readonly failures: StepFailures;
  readonly announcer: RunAnnouncer;
  readonly redis: RedisClient;
  readonly workerName: string;
  readonly eventTtlSeconds: number;
  /** Aborted on SIGTERM: no further step is begun. */
  readonly draining: AbortSignal;
}

/** One delivery of a run: claim it, advance its graph step by step, end it or give it up in order. */
export class RunExecutor {
  constructor(private readonly its: Dependencies) {}

  /** `round` counts the claims within one delivery: another one follows when nothing had to be waited for. */
  async execute(delivery: RunDelivery, lockLost: AbortSignal, round = 1): Promise<DeliveryOutcome> {
    const claimed = await this.its.runs.claim(delivery.ids, this.its.workerName);
    if (!claimed) {
      await this.its.announcer.announceEnd(delivery.ids.runId);
      await this.its.approvals.announceIfWaiting(delivery.ids.runId);
      return 'finished';
    }
    const hold = this.its.holds.of(claimed, lockLost);
    try {
      return await this.work(hold, delivery, lockLost, round);
    } catch (error) {
      return await this.its.failures.handle(error, hold, lockLost, () => delivery.handBack());
    } finally {
      hold.close();
    }
  }

  private async work(
    hold: RunHold,
    delivery: RunDelivery,
    lockLost: AbortSignal,
    round: number,
  ): Promise<DeliveryOutcome> {
    const { claimed, log, publisher, rules } = hold;
    const session = await hold.open();
    const { runId, approvalExpiresAt } = claimed.run;
    if (approvalExpiresAt) await this.its.queue.forgetUndecided(runId, approvalExpiresAt);
    if (claimed.run.attempt === 1) {
      log.info(auditFields(claimed), 'run started');
      await this.openLog(claimed);
    }

    for (let position = await session.position(); ;) {
      if (position.at === 'end') {
        await publisher.flush();
        await this.its.ending.finish(hold, position.outcome);
        return 'finished';
      }
      if (rules.clock.cancelled) {
        await this.its.conclusion.conclude(hold, session);
        return 'finished';
      }
      if (this.its.draining.aborted) return await this.handBack(claimed, delivery);
      if (position.at === 'tools') {
        const results = await this.its.turns.resultsOf(claimed.claim, position.interrupt);
        if (!results) return await this.waitForTools(hold, delivery, position.interrupt, lockLost, round);
        position = await session.advance({ type: 'resume', results });
      } else {
        // Of a model call that a lost claim had begun, viewers have pieces that will be said again.
        if (claimed.takenOver && position.repeatsModelCall) {
          publisher.publish({ type: 'attempt', attempt: claimed.claim.attempt });
        }
        position = await session.advance(position.next);
      }
    }
  }

  /** Between two steps nothing is half done, so the next worker goes on as if it were this one. */
  private async handBack(claimed: ClaimedRun, delivery: RunDelivery): Promise<DeliveryOutcome> {
    // A run that was taken over and not gone on with still owes its viewers the `attempt` event.
    if (!claimed.takenOver) await this.its.runs.release(claimed.claim, 'queued');
    await delivery.handBack();
    return 'handed-back';
  }

  private async waitForTools(
    { claimed }: RunHold,
    delivery: RunDelivery,
    interrupt: ToolInterrupt,
    lockLost: AbortSignal,
    round: number,
  ): Promise<DeliveryOutcome> {
    if (round > MAX_ROUNDS) throw new ResultsMissingError();
    const { claim } = claimed;
    const { undecided, jobs } = await this.its.turns.store(claimed, interrupt);
    if (undecided) {
      // All calls of the turn wait: the model's order holds, and nothing runs of a plan that is not agreed.
      await this.its.approvals.begin(claim, interrupt.usage);
      return 'finished';
    }
    if (jobs.length > 0) await this.watchDeadline(claimed);
    await this.its.runs.release(claim, 'waiting_tools', interrupt.usage);
    if (jobs.length > 0) {
      await delivery.addToolCalls(lanesOf(jobs, interrupt.width));
      if (await delivery.park()) return 'parked';
    }
    return this.execute(delivery, lockLost, round + 1);
  }

  /** A run that its line has come to at once may be here before the gateway has begun its log. */
  private async openLog({ claim }: ClaimedRun): Promise<void> {
    const fence = { writer: 'gateway', attempt: 0 } as const;
    await new RunEventWriter(this.its.redis, claim.runId, fence, this.its.eventTtlSeconds).append({
      type: 'run',
      queue_position: 0,
    });
  }

  /** Nobody looks at the clock of a run whose calls no worker takes. */
  private async watchDeadline({ claim, run, remainingMs }: ClaimedRun): Promise<void> {
    if (run.deadlineAt) await this.its.queue.settleAfter(claim.runId, run.deadlineAt, remainingMs);
  }
}
