import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { RunEventReader, type Cursor, type LoggedEvent } from '@copilot/events';
import { LOGGER, type Logger } from '@copilot/observability';
import { isRedisUnavailable } from '@copilot/redis';

/** Redis restarts within this; a reader that waited longer is told to come back by a closed stream. */
const OUTAGE_MS = 30_000;
const RETRY_MS = 250;

/** Follows a run's log on behalf of one client. */
@Injectable()
export class RunFollower {
  constructor(
    private readonly reader: RunEventReader,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Every entry after `after`, then live, until `done`, an abort, or the loss of the log. A short absence of
   * Redis is sat out: readers that know nothing of resuming would lose their run by it.
   */
  async *follow(
    runId: string,
    after: Cursor | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<LoggedEvent, void, undefined> {
    let cursor = after;
    let awaySince: number | undefined;
    while (!signal.aborted) {
      try {
        for await (const page of this.reader.tail(runId, cursor, signal)) {
          awaySince = undefined;
          for (const entry of page) {
            if (signal.aborted) return;
            yield entry;
            cursor = entry.cursor;
          }
        }
        return;
      } catch (error) {
        awaySince ??= performance.now();
        if (!isRedisUnavailable(error) || performance.now() - awaySince > OUTAGE_MS) throw error;
        this.logger.warn({ err: error, runId }, 'event log cannot be read, trying again');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** The entries up to and including `until`, for a reader that goes on after it. */
  async *upTo(runId: string, until: Cursor): AsyncGenerator<LoggedEvent, void, undefined> {
    let cursor: Cursor | undefined;
    for (;;) {
      const page = await this.reader.page(runId, cursor);
      for (const entry of page) {
        yield entry;
        if (entry.cursor === until) return;
      }
      cursor = page.at(-1)?.cursor;
      if (cursor === undefined) return;
    }
  }
}
