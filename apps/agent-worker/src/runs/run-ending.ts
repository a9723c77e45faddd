import { NO_USAGE, type Usage } from '@copilot/contracts';
import { withCost } from '@copilot/limits';
import type { ClaimedRun, RunOutcome, RunRow, RunsRepository } from '@copilot/persistence';
import type { RunAnnouncer } from './run-announcer';
import { toRunError } from './run-failure';
import type { RunHold } from './run-hold';

/** Ends a claimed run: its row, its line in the log, and what follows from the row. */
export class RunEnding {
  constructor(
    private readonly runs: RunsRepository,
    private readonly announcer: RunAnnouncer,
  ) {}

  async finish({ claimed, log }: RunHold, outcome: RunOutcome): Promise<void> {
    await this.runs.finish(claimed.claim, outcome);
    log.info(
      {
        ...auditFields(claimed),
        status: outcome.status,
        stopReason: outcome.stopReason,
        code: outcome.error?.code,
        usage: outcome.usage,
      },
      'run ended',
    );
    await this.announcer.announceEnd(claimed.claim.runId);
  }

  /** A cancelled run that cannot be wound up in order is a cancelled one all the same. */
  async fail(hold: RunHold, error: unknown): Promise<void> {
    const failure = toRunError(error);
    if (failure.code === 'internal_error') hold.log.error({ err: error }, 'run failed unexpectedly');
    const usage = usageSoFar(hold.claimed.run);
    await this.finish(
      hold,
      hold.rules.clock.cancelled
        ? { status: 'cancelled', stopReason: 'aborted', usage, messages: 1 }
        : {
            status: 'failed',
            stopReason: 'error',
            error: { code: failure.code, message: failure.message },
            usage,
            messages: 1,
          },
    );
  }
}

/** Nothing used costs nothing, in the run's currency, and not an unknown sum. */
export function usageSoFar({ usage, prices }: RunRow): Usage {
  return usage ?? withCost(NO_USAGE, prices);
}

/** Who asked, and within which limits. */
export function auditFields({ run }: ClaimedRun) {
  const { projectId, userId, requestedLimits, effectiveLimits } = run;
  return { projectId, userId, requestedLimits, effectiveLimits };
}
