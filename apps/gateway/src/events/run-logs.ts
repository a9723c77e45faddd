import { forgetLog, RunEventWriter } from '@copilot/events';
import type { RedisClient } from '@copilot/redis';

/** Begins the event logs of accepted runs, and deletes those of deleted ones. */
export class RunLogs {
  constructor(
    private readonly redis: RedisClient,
    private readonly endedTtlSeconds: number,
  ) {}

  /** Writes a log's first entry. */
  async begin(runId: string, queuePosition: number): Promise<void> {
    const writer = new RunEventWriter(
      this.redis,
      runId,
      { writer: 'gateway', attempt: 0 },
      this.endedTtlSeconds,
    );
    await writer.append({ type: 'run', queue_position: queuePosition });
  }

  /** Resolves when no log of these runs is left but for a last moment of those that were unfinished. */
  async forget(runs: readonly { readonly runId: string; readonly endedAt: Date | null }[]): Promise<void> {
    await Promise.all(
      runs.map(({ runId, endedAt }) => forgetLog(this.redis, { runId, ended: endedAt !== null })),
    );
  }
}
