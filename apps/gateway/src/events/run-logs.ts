import { RunEventWriter } from '@copilot/events';
import type { RedisClient } from '@copilot/redis';

/** Begins the event logs of accepted runs. */
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
}
