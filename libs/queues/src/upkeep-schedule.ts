import { reapJob, REAP_EVERY_MS } from '@copilot/contracts';
import type { Queue } from 'bullmq';

/** One for all processes, so that one job at a time exists however many of them there are. */
const SCHEDULER_ID = reapJob.name;

/** Nothing came of this many turns: the scheduler's next job has been lost. */
const MISSED_TURNS = 3;

/** Has the upkeep done every few seconds, by one worker at a time. */
export class UpkeepSchedule {
  constructor(
    private readonly queue: Queue,
    onFault: (error: Error) => void,
  ) {
    queue.on('error', onFault);
  }

  /**
   * Makes the schedule, unless it is there and goes on. To be asked now and then: a Redis that was wiped has
   * lost it with everything else.
   */
  async ensure(): Promise<void> {
    const scheduler = await this.queue.getJobScheduler(SCHEDULER_ID);
    if (scheduler?.every === REAP_EVERY_MS && isGoingOn(scheduler.next)) return;
    await this.queue.setGlobalConcurrency(1);
    await this.queue.upsertJobScheduler(
      SCHEDULER_ID,
      { every: REAP_EVERY_MS },
      { name: reapJob.name, data: {}, opts: { attempts: 1, removeOnComplete: true, removeOnFail: true } },
    );
  }
}

function isGoingOn(nextAt: number | undefined): boolean {
  return nextAt !== undefined && nextAt > Date.now() - MISSED_TURNS * REAP_EVERY_MS;
}
