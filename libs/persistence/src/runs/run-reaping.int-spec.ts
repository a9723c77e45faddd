import { NO_USAGE } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newRun } from '../../../../test/support/new-run';
import { claimedRun, openStores, type Stores } from '../testing/stores';
import { RunReapingRepository, type LiveRun } from './run-reaping.repository';

let stores: Stores;
let reaping: RunReapingRepository;

beforeAll(async () => {
  stores = await openStores();
  reaping = new RunReapingRepository(stores.connection);
});

afterAll(() => stores.connection.pool.end());

/** As if the run had been accepted a minute ago. */
async function age(...runIds: string[]): Promise<void> {
  await stores.connection.pool.query(
    "UPDATE runs SET created_at = now() - interval '1 minute' WHERE run_id = ANY($1)",
    [runIds],
  );
}

async function liveRun(runId: string): Promise<LiveRun | undefined> {
  return (await reaping.live(0, 10_000)).find((run) => run.runId === runId);
}

async function existing(runId: string): Promise<LiveRun> {
  const run = await liveRun(runId);
  if (!run) throw new Error('the run is live');
  return run;
}

describe('the runs that somebody should be working on', () => {
  it('are the enqueued ones, once there was time to hand them over', async () => {
    const input = newRun();
    const { run: head } = await stores.intake.accept(input);
    const { run: behind } = await stores.intake.accept(input);
    expect(await liveRun(head.runId)).toBeUndefined();
    await age(head.runId, behind.runId);
    expect(await liveRun(head.runId)).toMatchObject({ status: 'queued', enqueueNumber: 1, attempt: 0 });
    expect(await liveRun(behind.runId)).toBeUndefined();
  });

  it('come in pages', async () => {
    const { run } = await stores.intake.accept(newRun());
    await age(run.runId);
    const all = await reaping.live(0, 10_000);
    const [first] = await reaping.live(0, 1);
    expect(first).toEqual(all[0]);
    expect(await reaping.live(first?.sequence ?? 0, 10_000)).toEqual(all.slice(1));
  });
});

describe('a run that the queue has lost', () => {
  it('gets a new number, by which what was on its way to it is stale', async () => {
    const { claim, run } = await claimedRun(stores);
    await age(claim.runId);
    const seen = await existing(claim.runId);
    expect(await reaping.redeliver(seen)).toEqual({ enqueueNumber: 2, redeliveries: 1 });
    expect(await stores.runs.claim(run, 'late')).toBeUndefined();
    expect(await stores.runs.claim({ runId: claim.runId, enqueueNumber: 2 }, 'next')).toMatchObject({
      takenOver: true,
    });
  });

  it('is enqueued anew once, however many find it at once', async () => {
    const { run } = await stores.intake.accept(newRun());
    await age(run.runId);
    const seen = await existing(run.runId);
    const found = await Promise.all([reaping.redeliver(seen), reaping.redeliver(seen)]);
    expect(found.filter((redelivery) => redelivery !== undefined)).toHaveLength(1);
  });

  it.each([
    ['was claimed', (run: LiveRun) => stores.runs.claim(run, 'worker')],
    [
      'was claimed and given back',
      async (run: LiveRun) => {
        const claimed = await stores.runs.claim(run, 'worker');
        if (claimed) await stores.runs.release(claimed.claim, 'queued');
      },
    ],
    [
      'has ended',
      async (run: LiveRun) => {
        const claimed = await stores.runs.claim(run, 'worker');
        const outcome = {
          status: 'completed',
          stopReason: 'completed',
          usage: NO_USAGE,
          messages: 2,
        } as const;
        if (claimed) await stores.runs.finish(claimed.claim, outcome);
      },
    ],
  ])('is not lost when it %s meanwhile', async (_what, change) => {
    const { run } = await stores.intake.accept(newRun());
    await age(run.runId);
    const seen = await existing(run.runId);
    await change(seen);
    expect(await reaping.redeliver(seen)).toBeUndefined();
  });
});

describe('the newest turns', () => {
  it('are all calls of the last iteration of each run, whether they have ended or not', async () => {
    const [one, other] = [await claimedRun(stores), await claimedRun(stores)];
    const call = (iteration: number, position: number) => ({
      callId: `c${iteration}-${position}`,
      ...{ iteration, position, name: 'gns3_topology_reader', arguments: '{}' },
    });
    await stores.calls.add(one.claim, [call(1, 0), call(2, 0), { ...call(2, 1), refusal: 'no' }]);
    await stores.calls.add(other.claim, [call(1, 0)]);
    const turns = await reaping.newestTurns([one.run.runId, other.run.runId]);
    expect(turns).toHaveLength(3);
    expect(turns).toEqual(
      expect.arrayContaining([
        { runId: one.run.runId, iteration: 2, position: 0 },
        { runId: one.run.runId, iteration: 2, position: 1 },
        { runId: other.run.runId, iteration: 1, position: 0 },
      ]),
    );
  });
});

describe('an overdue run', () => {
  it.each(['deadline_at', 'cancel_requested_at'])('is one whose %s is a while ago', async (column) => {
    const [late, inTime] = [await claimedRun(stores), await claimedRun(stores)];
    const set = (runId: string, ago: string) =>
      stores.connection.pool.query(
        `UPDATE runs SET ${column} = now() - $2::interval, created_at = now() - interval '1 minute' WHERE run_id = $1`,
        [runId, ago],
      );
    await set(late.run.runId, '10 seconds');
    await set(inTime.run.runId, '2 seconds');
    const overdue = await reaping.overdue(10_000);
    expect(overdue).toContain(late.run.runId);
    expect(overdue).not.toContain(inTime.run.runId);
  });

  it('waits for a person as long as that may take, whatever its deadline says', async () => {
    const [lapsed, waiting] = [await claimedRun(stores), await claimedRun(stores)];
    const set = (runId: string, expires: string) =>
      stores.connection.pool.query(
        `UPDATE runs SET status = 'waiting_approval', deadline_at = now() - interval '1 minute',
          approval_expires_at = now() + $2::interval WHERE run_id = $1`,
        [runId, expires],
      );
    await set(lapsed.run.runId, '-10 seconds');
    await set(waiting.run.runId, '1 minute');
    const overdue = await reaping.overdue(10_000);
    expect(overdue).toContain(lapsed.run.runId);
    expect(overdue).not.toContain(waiting.run.runId);
  });
});

describe('a line that has stopped', () => {
  it('is one whose first unfinished run nobody has enqueued', async () => {
    const input = newRun();
    const { run: first, session } = await stores.intake.accept(input);
    const { run: second } = await stores.intake.accept(input);
    await age(first.runId, second.runId);
    expect(await reaping.stoppedLines(10_000)).not.toContain(session.id);
    const claimed = await stores.runs.claim(first, 'worker');
    if (!claimed) throw new Error('a new run can be claimed');
    await stores.runs.finish(claimed.claim, {
      ...{ status: 'completed', stopReason: 'completed', usage: NO_USAGE, messages: 2 },
    });
    expect(await reaping.stoppedLines(10_000)).toContain(session.id);
    await stores.runs.headOfLine(session.id);
    expect(await reaping.stoppedLines(10_000)).not.toContain(session.id);
  });
});
