import { MAX_REDELIVERIES } from '@copilot/contracts';
import type { Logger } from '@copilot/observability';
import type { CallPlace, LiveRun, RunReapingRepository, RunsRepository } from '@copilot/persistence';
import type { LostDeliveries, RunQueue } from '@copilot/queues';

/** Rows that one question to Postgres, and one round trip to Redis, are about. */
const PAGE = 200;
/** Of each kind in one sweep; the next one goes on from there. */
const MAX_A_SWEEP = 2_000;

interface Dependencies {
  readonly reaping: Pick<
    RunReapingRepository,
    'live' | 'newestTurns' | 'redeliver' | 'overdue' | 'stoppedLines'
  >;
  readonly runs: Pick<RunsRepository, 'headOfLine'>;
  readonly lost: Pick<LostDeliveries, 'runsAtRest' | 'callsAtRest' | 'clear'>;
  readonly queue: Pick<RunQueue, 'enqueue' | 'settleNow'>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Finds the runs that Postgres believes alive and nobody will ever work on, and sets them going again or has them
 * ended. It only ever adds jobs, and takes nothing from anybody: a run is enqueued anew by a conditional update
 * that fails when anybody has touched the run since it was read, so a second reaper or a worker that was merely
 * slow do no harm.
 */
export class RunReaper {
  /** Where the last sweep of this process has stopped. */
  private afterSequence = 0;

  constructor(private readonly its: Dependencies) {}

  /** Rejects when a store is away; what was done stays, and the next sweep does the rest. */
  async sweep(): Promise<void> {
    await this.endOverdue();
    await this.moveLinesUp();
    for (let seen = 0; seen < MAX_A_SWEEP; seen += PAGE) {
      const page = await this.its.reaping.live(this.afterSequence, PAGE);
      await this.setGoing(page);
      this.afterSequence = page.length < PAGE ? 0 : (page.at(-1)?.sequence ?? 0);
      if (this.afterSequence === 0) return;
    }
  }

  /** Their own order to end them was lost. One that is still under way is not doubled: it has the same id. */
  private async endOverdue(): Promise<void> {
    for (const runId of await this.its.reaping.overdue(PAGE)) await this.its.queue.settleNow(runId);
  }

  /** Who ended the run before has died before it could enqueue the next. */
  private async moveLinesUp(): Promise<void> {
    for (const session of await this.its.reaping.stoppedLines(PAGE)) {
      const head = await this.its.runs.headOfLine(session);
      if (!head) continue;
      this.its.log.warn({ runId: head.runId }, "the line of the run's session had stopped");
      await this.its.queue.enqueue(head);
    }
  }

  private async setGoing(page: readonly LiveRun[]): Promise<void> {
    const atRest = await this.its.lost.runsAtRest(page);
    const turns = await this.turnsOf(atRest);
    const moving = await this.movingRuns([...turns.values()].flat());
    // Asked again: a last call that ended between the two questions has brought its run to the queue.
    const lost = await this.its.lost.runsAtRest(atRest.filter(({ runId }) => !moving.has(runId)));
    for (const run of lost) await this.redeliver(run, turns.get(run.runId) ?? []);
  }

  /** The newest calls of those that wait for their tools. */
  private async turnsOf(runs: readonly LiveRun[]): Promise<Map<string, CallPlace[]>> {
    const waiting = runs.filter(({ status }) => status === 'waiting_tools').map(({ runId }) => runId);
    const turns = new Map<string, CallPlace[]>();
    for (const call of await this.its.reaping.newestTurns(waiting)) {
      turns.set(call.runId, [...(turns.get(call.runId) ?? []), call]);
    }
    return turns;
  }

  /** Runs one of whose calls a worker has or gets: they have their result before anything else is done. */
  private async movingRuns(calls: readonly CallPlace[]): Promise<Set<string>> {
    const atRest = new Set(await this.its.lost.callsAtRest(calls));
    return new Set(calls.filter((call) => !atRest.has(call)).map(({ runId }) => runId));
  }

  private async redeliver(run: LiveRun, calls: readonly CallPlace[]): Promise<void> {
    const { runId, status } = run;
    const redelivery = await this.its.reaping.redeliver(run);
    if (!redelivery) return;
    const { enqueueNumber, redeliveries } = redelivery;
    await this.its.lost.clear(run, calls);
    if (redeliveries > MAX_REDELIVERIES) {
      this.its.log.error({ runId, status, redeliveries }, 'the queue has lost a run too often: it is ended');
      await this.its.queue.settleNow(runId);
      return;
    }
    this.its.log.warn({ runId, status, redeliveries }, 'the queue had lost a run: it is enqueued anew');
    await this.its.queue.enqueue({ runId, enqueueNumber });
  }
}
