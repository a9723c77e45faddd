import type { RunEvent } from '@copilot/contracts';
import { forgetLog, RunEventWriter, type WriterFence } from '@copilot/events';
import type { RedisClient } from '@copilot/redis';

type LimitsChanged = Omit<Extract<RunEvent, { type: 'limits_changed' }>, 'type'>;

/** What the gateway itself writes to the event logs of runs, and their end where runs are deleted. */
export class RunLogs {
  constructor(
    private readonly redis: RedisClient,
    private readonly endedTtlSeconds: number,
  ) {}

  /** Writes a log's first entry. */
  async begin(runId: string, queuePosition: number): Promise<void> {
    await this.write(runId, 'gateway', { type: 'run', queue_position: queuePosition });
  }

  /** Tells of the run's nth change of limits, once however often it is told. */
  async limitsChanged(runId: string, nth: number, change: LimitsChanged): Promise<void> {
    await this.write(runId, `limits:${nth}`, { type: 'limits_changed', ...change });
  }

  /** Tells of a decision on a call, once however often it is told. */
  async decided(runId: string, event: Extract<RunEvent, { type: 'approval_decided' }>): Promise<void> {
    await this.write(runId, `approval:${event.tool_call_id}`, event);
  }

  private async write(runId: string, writer: WriterFence['writer'], event: RunEvent): Promise<void> {
    await new RunEventWriter(this.redis, runId, { writer, attempt: 0 }, this.endedTtlSeconds).append(event);
  }

  /** Resolves when no log of these runs is left but for a last moment of those that were unfinished. */
  async forget(runs: readonly { readonly runId: string; readonly endedAt: Date | null }[]): Promise<void> {
    await Promise.all(
      runs.map(({ runId, endedAt }) => forgetLog(this.redis, { runId, ended: endedAt !== null })),
    );
  }
}
