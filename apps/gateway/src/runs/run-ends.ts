import { Inject, Injectable } from '@nestjs/common';
import { endEvents, HAND_OVER_GRACE_MS, isEnded, type RunEvent } from '@copilot/contracts';
import { LOGGER, type Logger } from '@copilot/observability';
import { RunsRepository } from '@copilot/persistence';
import { ShortCache } from '../caching/short-cache';

/** However many viewers a run has, one question is asked for them. */
const REMEMBERED_MS = 2_000;

/** The last events of an ended run; none of a deleted one; null while it is unfinished. */
type RowsEnd = readonly RunEvent[] | null;

/** The ends of runs by their rows, for viewers of a log that does not tell of them. */
@Injectable()
export class RunEnds {
  private readonly known = new ShortCache<RowsEnd>(REMEMBERED_MS);

  constructor(
    private readonly runs: RunsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** For one viewer. */
  watch(runId: string): EndWatch {
    return new EndWatch(() => this.endOf(runId));
  }

  /** While Postgres is away every run counts as unfinished. */
  private async endOf(runId: string): Promise<RowsEnd> {
    try {
      return await this.known.get(runId, async () => {
        const run = await this.runs.findEnd(runId);
        if (!run) return [];
        return isEnded(run.status) ? endEvents(run) : null;
      });
    } catch (error) {
      this.logger.warn({ err: error, runId }, 'the end of a run could not be looked up');
      return null;
    }
  }
}

/** Waits for an end that no log tells of. */
export class EndWatch {
  private endedSince: number | undefined;

  constructor(private readonly look: () => Promise<RowsEnd>) {}

  /**
   * To be asked whenever the log is silent. The last events, once the run has been over for so long that whoever
   * had to write them has had the time.
   */
  async untold(): Promise<readonly RunEvent[] | undefined> {
    const end = await this.look();
    if (end === null) return undefined;
    if (end.length === 0) return end;
    this.endedSince ??= performance.now();
    return performance.now() - this.endedSince < HAND_OVER_GRACE_MS ? undefined : end;
  }
}
