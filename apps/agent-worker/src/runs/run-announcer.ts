import { endEvents, isEnded } from '@copilot/contracts';
import { LogClosedError, RunEventWriter } from '@copilot/events';
import type { Logger } from '@copilot/observability';
import type { ConversationsRepository, RunRow, RunsRepository } from '@copilot/persistence';
import type { RunQueue } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';

interface Dependencies {
  readonly runs: RunsRepository;
  readonly conversations: ConversationsRepository;
  readonly queue: RunQueue;
  readonly redis: RedisClient;
  readonly eventTtlSeconds: number;
  readonly log: Logger;
}

/**
 * What follows the end of a run, once its row says so: `abort` or `error`, and `done` in its log, the next run of
 * its session on the queue, and its checkpoints but the last one gone. Doing it again changes nothing, so every late
 * delivery of an ended run does it: a worker that died between the row and the log leaves no viewer waiting.
 */
export class RunAnnouncer {
  constructor(private readonly its: Dependencies) {}

  async announceEnd(runId: string): Promise<void> {
    const { runs, queue, conversations, log } = this.its;
    const run = await runs.find(runId);
    if (!run || !isEnded(run.status)) return;
    await this.writeEnd(run);
    if (run.deadlineAt) await queue.forgetDeadline(runId, run.deadlineAt);
    if (run.approvalExpiresAt) await queue.forgetUndecided(runId, run.approvalExpiresAt);
    const next = await runs.headOfLine(run.session);
    if (next) await queue.enqueue(next);
    // Last, since nobody waits for it; where it fails, the session's next run does it too.
    await conversations
      .prune(run.session)
      .catch((err: unknown) => log.warn({ err, runId }, 'old checkpoints could not be deleted'));
  }

  private async writeEnd(run: RunRow): Promise<void> {
    const writer = new RunEventWriter(
      this.its.redis,
      run.runId,
      { writer: 'end', attempt: 0 },
      this.its.eventTtlSeconds,
    );
    try {
      await writer.append(...endEvents(run));
    } catch (error) {
      if (!(error instanceof LogClosedError)) throw error;
    }
  }
}
