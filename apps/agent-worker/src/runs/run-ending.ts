import { NO_USAGE } from '@copilot/contracts';
import type { Logger } from '@copilot/observability';
import type { ClaimedRun, RunOutcome, RunsRepository } from '@copilot/persistence';
import type { RunAnnouncer } from './run-announcer';
import { toRunError } from './run-failure';

/** Ends a claimed run: its row, its line in the log, and what follows from the row. */
export class RunEnding {
  constructor(
    private readonly runs: RunsRepository,
    private readonly announcer: RunAnnouncer,
  ) {}

  async finish(claimed: ClaimedRun, outcome: RunOutcome, log: Logger): Promise<void> {
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

  async fail(claimed: ClaimedRun, error: unknown, log: Logger): Promise<void> {
    const failure = toRunError(error);
    if (failure.code === 'internal_error') log.error({ err: error }, 'run failed unexpectedly');
    await this.finish(
      claimed,
      {
        status: 'failed',
        stopReason: 'error',
        error: { code: failure.code, message: failure.message },
        usage: claimed.run.usage ?? NO_USAGE,
        messages: 1,
      },
      log,
    );
  }
}

/** Who asked, and within which limits. */
export function auditFields({ run }: ClaimedRun) {
  const { projectId, userId, requestedLimits, effectiveLimits } = run;
  return { projectId, userId, requestedLimits, effectiveLimits };
}
