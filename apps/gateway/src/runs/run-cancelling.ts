import { Inject, Injectable } from '@nestjs/common';
import { RunEventReader, signalRun } from '@copilot/events';
import { LOGGER, type Logger } from '@copilot/observability';
import { RunControlRepository } from '@copilot/persistence';
import { RunQueue } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import { REDIS } from '../events/events.module';

/** An end takes milliseconds; a caller whose run nobody can end just now is told how it stands. */
const PATIENCE_MS = 3_000;

/** Who has a run cancelled, and by what: for the log. */
export interface Canceller {
  readonly userId: string;
  readonly source: 'cancel' | 'abort' | 'delete-session' | 'interrupt' | 'disconnect';
  /** The run that interrupts. */
  readonly byRunId?: string;
}

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

  /** Resolves when the run has ended, or after a few seconds; one that has ended is left as it is. */
  async cancel(runId: string, by: Canceller): Promise<void> {
    if (!(await this.order(runId, by))) return;
    await this.reader.untilDone(runId, AbortSignal.timeout(PATIENCE_MS));
  }

  /**
   * Has the run ended, and does not wait for it. The row says so first, so nobody begins anything more of the run
   * whatever becomes of the rest. False: it has ended already.
   */
  async order(runId: string, by: Canceller): Promise<boolean> {
    if (!(await this.control.requestCancel(runId))) return false;
    await this.carryOut(runId, by);
    return true;
  }

  /** Has a run ended whose row says already that it is cancelled. What is lost here the reaper does. */
  async carryOut(runId: string, by: Canceller): Promise<void> {
    this.logger.info({ runId, ...by }, 'run is cancelled');
    await Promise.all([signalRun(this.redis, runId), this.queue.settleNow(runId)]);
  }
}
