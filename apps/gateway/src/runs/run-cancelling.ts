import { Inject, Injectable } from '@nestjs/common';
import { RunEventReader, signalRun } from '@copilot/events';
import { LOGGER, type Logger } from '@copilot/observability';
import { RunControlRepository } from '@copilot/persistence';
import { RunQueue } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import { REDIS } from '../events/events.module';

/** An end takes milliseconds; a caller whose run nobody can end just now is told how it stands. */
const PATIENCE_MS = 3_000;

/** Cancels runs. */
@Injectable()
export class RunCancelling {
  constructor(
    private readonly control: RunControlRepository,
    private readonly queue: RunQueue,
    private readonly reader: RunEventReader,
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves when the run has ended, or after a few seconds. The row says so first, so nobody begins anything
   * more of the run whatever becomes of the rest; a run that has ended is left as it is.
   */
  async cancel(runId: string, userId: string): Promise<void> {
    if (!(await this.control.requestCancel(runId))) return;
    this.logger.info({ runId, userId }, 'run is cancelled');
    await Promise.all([signalRun(this.redis, runId), this.queue.settleNow(runId)]);
    await this.reader.untilDone(runId, AbortSignal.timeout(PATIENCE_MS));
  }
}
