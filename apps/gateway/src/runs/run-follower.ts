import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { RunEvent } from '@copilot/contracts';
import { RunEventReader, type Cursor, type LoggedEvent } from '@copilot/events';
import { LOGGER, type Logger } from '@copilot/observability';
import { isRedisUnavailable } from '@copilot/redis';
import { RunEnds } from './run-ends';

/** Redis restarts within this; a reader that waited longer is told to come back by a closed stream. */
const OUTAGE_MS = 30_000;
const RETRY_MS = 250;

/** An event for a client; one that no log has any more has no cursor. */
export interface FollowedEvent {
  readonly cursor: Cursor | undefined;
  readonly event: RunEvent;
}

/** Follows a run's log on behalf of one client. */
@Injectable()
export class RunFollower {
  constructor(
    private readonly reader: RunEventReader,
    private readonly ends: RunEnds,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Every entry after `after`, then live, until `done`, an abort, or the run's deletion. A short absence of
   * Redis is sat out: readers that know nothing of resuming would lose their run by it. A log that was lost is
   * waited for, since the run goes on; where none tells of the end, the run's row does.
   */
  async *follow(
    runId: string,
    after: Cursor | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<FollowedEvent, void, undefined> {
    let cursor = after;
    let awaySince: number | undefined;
    const end = this.ends.watch(runId);
    while (!signal.aborted) {
      try {
        for await (const page of this.reader.tail(runId, cursor, signal)) {
          awaySince = undefined;
          for (const entry of page) {
            if (signal.aborted) return;
            yield entry;
            cursor = entry.cursor;
          }
          const lastEvents = page.length === 0 ? await end.untold() : undefined;
          if (!lastEvents) continue;
          for (const event of lastEvents) yield { cursor: undefined, event };
          return;
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
