import { NO_USAGE } from '@copilot/contracts';
import type { RedisClient } from '@copilot/redis';
import { fencesKey, streamKey } from './keys';
import { LogClosedError, RunEventWriter } from './run-event-writer';

/** Readers of an unfinished run are to get its end before the log is gone. */
const FAREWELL_SECONDS = 60;
/** Longer than any worker can still be at work on the run. */
const CLOSED_SECONDS = 2 * 3_600;

/**
 * Deletes the log of a run that is being deleted. Its viewers, if it was unfinished, get `done` and a minute to
 * read it. A mark without content stays for two hours: it keeps a worker that does not know yet from
 * beginning the log anew.
 */
export async function forgetLog(
  redis: RedisClient,
  { runId, ended }: { readonly runId: string; readonly ended: boolean },
): Promise<void> {
  if (!ended) await sayFarewell(redis, runId);
  const replies = await redis
    .multi()
    .del(...(ended ? [streamKey(runId)] : []), fencesKey(runId))
    .hset(fencesKey(runId), 'closed', '1')
    .expire(fencesKey(runId), CLOSED_SECONDS)
    .exec();
  const failed = replies?.find(([error]) => error !== null);
  if (failed?.[0]) throw failed[0];
}

async function sayFarewell(redis: RedisClient, runId: string): Promise<void> {
  const writer = new RunEventWriter(redis, runId, { writer: 'end', attempt: 0 }, FAREWELL_SECONDS);
  try {
    await writer.append({ type: 'done', stop_reason: 'aborted', usage: NO_USAGE });
  } catch (error) {
    // It has ended this very moment, and its viewers have their `done`.
    if (!(error instanceof LogClosedError)) throw error;
    await redis.del(streamKey(runId));
  }
}
