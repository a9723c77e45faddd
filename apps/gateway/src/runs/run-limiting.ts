import { Inject, Injectable } from '@nestjs/common';
import { signalRun } from '@copilot/events';
import { changedLimits, effectiveLimitsSchema, LIMIT_FIELDS, secondsBound } from '@copilot/limits';
import { LOGGER, type Logger } from '@copilot/observability';
import { RunControlRepository, type LimitsUpdate, type RunRow } from '@copilot/persistence';
import { RunQueue } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import type { Identity } from '../auth/caller';
import { ApiError, unprocessable } from '../errors/api-error';
import { REDIS } from '../events/events.module';
import { RunLogs } from '../events/run-logs';
import type { RunLimitsDto } from './run-limits.dto';

/** Injection token of the time that a run may take where its caller does not say. */
export const RUN_MAX_SECONDS = Symbol('RUN_MAX_SECONDS');

/** Changes the limits of runs that work or wait. */
@Injectable()
export class RunLimiting {
  constructor(
    private readonly control: RunControlRepository,
    private readonly queue: RunQueue,
    private readonly logs: RunLogs,
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(RUN_MAX_SECONDS) private readonly maxSeconds: number,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves once the row says so; who works on the run reads it there before its next step. Rejects with 422
   * when no limit is named, and with 409 when the run has ended; nothing is changed then.
   */
  async change(runId: string, asked: RunLimitsDto, caller: Identity): Promise<void> {
    if (!LIMIT_FIELDS.some((name) => Reflect.get(asked, name) !== undefined)) {
      throw unprocessable(`Name at least one limit to change: ${LIMIT_FIELDS.join(', ')}`);
    }
    const result = await this.control.changeLimits(runId, (run) => this.judge(run, asked, caller));
    if (!result) throw new ApiError(409, `Run '${runId}' has ended; its limits cannot be changed any more`);
    if (result.changed) await this.tell(result.run);
  }

  private judge(run: RunRow, asked: RunLimitsDto, { userId }: Identity): LimitsUpdate {
    const before = effectiveLimitsSchema.parse(run.effectiveLimits);
    const { effective, changes } = changedLimits(before, asked, { maxSeconds: this.maxSeconds });
    if (effective.max_cost !== null && !run.prices) {
      throw unprocessable(
        `max_cost must be a number above 0 in the currency of a model config with prices, got ${effective.max_cost}: this run's model config had none when the run was accepted`,
      );
    }
    return { effective, changes, maxSeconds: secondsBound(effective), by: userId };
  }

  /** The change holds whatever becomes of this: without Redis it is only noticed a step later. */
  private async tell({ runId, limitChanges, deadlineAt }: RunRow): Promise<void> {
    const last = limitChanges.at(-1);
    if (!last) return;
    const { by, changes } = last;
    this.logger.info({ runId, userId: by, changes }, 'limits of a run are changed');
    try {
      await this.logs.limitsChanged(runId, limitChanges.length, { by, changes });
      await signalRun(this.redis, runId);
      // A run that waits for its tools has nobody who looks at the clock.
      if (deadlineAt && 'max_execution_time_seconds' in changes) {
        await this.queue.settleAfter(runId, deadlineAt, deadlineAt.getTime() - Date.now());
      }
    } catch (err) {
      this.logger.warn({ err, runId }, 'a change of limits could not be told');
    }
  }
}
