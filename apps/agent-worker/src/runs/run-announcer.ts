import { endEvents, isEnded } from '@copilot/contracts';
import { LogClosedError, RunEventWriter } from '@copilot/events';
import type { RunRow, RunsRepository } from '@copilot/persistence';
import type { RunQueue } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';

/**
 * What follows the end of a run, once its row says so: `abort` or `error`, and `done` in its log, and the next
 * run of its session on the queue. Doing it again changes nothing, so every late delivery of an ended run does
 * it: a worker that died between the row and the log leaves no viewer waiting.
 */
export class RunAnnouncer {
  constructor(
    private readonly runs: RunsRepository,
    private readonly queue: RunQueue,
    private readonly redis: RedisClient,
    private readonly eventTtlSeconds: number,
  ) {}

  async announceEnd(runId: string): Promise<void> {
    const run = await this.runs.find(runId);
    if (!run || !isEnded(run.status)) return;
    await this.writeEnd(run);
    if (run.deadlineAt) await this.queue.forgetDeadline(runId, run.deadlineAt);
    if (run.approvalExpiresAt) await this.queue.forgetUndecided(runId, run.approvalExpiresAt);
    const next = await this.runs.headOfLine(run.session);
    if (next) await this.queue.enqueue(next);
  }

  private async writeEnd(run: RunRow): Promise<void> {
    const writer = new RunEventWriter(
      this.redis,
      run.runId,
      { writer: 'end', attempt: 0 },
      this.eventTtlSeconds,
    );
    try {
      await writer.append(...endEvents(run));
    } catch (error) {
      if (!(error instanceof LogClosedError)) throw error;
    }
  }
}
