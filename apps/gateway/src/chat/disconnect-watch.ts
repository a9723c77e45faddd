import { setTimeout as sleep } from 'node:timers/promises';
import { LOGGER, type Logger } from '@copilot/observability';
import type { RunRow } from '@copilot/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { closed } from '../http/closed';
import { RunCancelling } from '../runs/run-cancelling';
import { OpenStreams } from '../sse/open-streams';

/** Nobody is there any more to whom a failure could be told, so a restart of Postgres is sat out. */
const TRIES = 120;
const RETRY_MS = 500;

/** Cancels runs whose client wanted that for when it leaves before it has the whole answer. */
@Injectable()
export class DisconnectWatch {
  constructor(
    private readonly cancelling: RunCancelling,
    private readonly openStreams: OpenStreams,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * For the request that has made the run; it may have lost its client already. An answer that the gateway ends,
   * as a whole, after a fault or because it shuts down, is no leaving. A client that leaves at `error` or `done`,
   * as the web UI does, finds its run ended, and cancelling leaves that as it is.
   */
  watch(run: RunRow, response: Response): void {
    const onClosed = () => {
      if (!response.writableEnded && !this.openStreams.closing) void this.cancel(run);
    };
    const gone = closed(response);
    if (gone.aborted) onClosed();
    else gone.addEventListener('abort', onClosed);
  }

  private async cancel({ runId, userId }: RunRow): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.cancelling.order(runId, { userId, source: 'disconnect' });
        return;
      } catch (err) {
        if (tries < TRIES && !this.openStreams.closing) {
          await sleep(RETRY_MS, undefined, { ref: false });
          continue;
        }
        this.logger.warn({ err, runId }, 'a run whose client has left could not be cancelled, and goes on');
        return;
      }
    }
  }
}
