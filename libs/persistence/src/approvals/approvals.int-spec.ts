import { NO_USAGE } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Decision } from './approvals.repository';
import { claimedRun, openStores, type Stores } from '../testing/stores';

const TOOL = 'execute_vpcs_commands';
const BY = 'user-1';

let stores: Stores;

beforeAll(async () => {
  stores = await openStores();
});

afterAll(() => stores.connection.pool.end());

/** A run that waits for the approval of its calls. */
async function waitingRun(callIds: readonly string[] = ['a', 'b'], timeoutSeconds = 3_600) {
  const approval = { policies: ['config_tools' as const], timeoutSeconds };
  const { claim, run } = await claimedRun(stores, { approval });
  await stores.calls.add(
    claim,
    callIds.map((callId, position) => ({
      callId,
      iteration: 1,
      position,
      name: TOOL,
      arguments: '{"n":1}',
      approval: 'pending' as const,
    })),
  );
  const waiting = await stores.approvals.wait(claim, NO_USAGE);
  return { claim, run: waiting, delivery: { runId: run.runId, enqueueNumber: run.enqueueNumber } };
}

const approve = (callId: string, edited?: string): Decision => ({ callId, approved: true, edited });
const reject = (callId: string, reason?: string): Decision => ({ callId, approved: false, reason });
const decide = ({ run }: { run: { runId: string } }, ...decisions: Decision[]) =>
  stores.approvals.decide(run.runId, BY, decisions);

/** Moves the beginning of the wait, and with it its end, into the past. */
async function letPass(runId: string, seconds: number): Promise<void> {
  await stores.connection.pool.query(
    `UPDATE runs SET approval_requested_at = approval_requested_at - $2 * interval '1 second',
      approval_expires_at = approval_expires_at - $2 * interval '1 second',
      started_at = started_at - $2 * interval '1 second',
      deadline_at = deadline_at - $2 * interval '1 second' WHERE run_id = $1`,
    [runId, seconds],
  );
}

describe('a run that waits for a person', () => {
  it('is nobody’s: neither its last delivery nor a job of its calls gets it', async () => {
    const { run, delivery, claim } = await waitingRun();
    expect(run).toMatchObject({ status: 'waiting_approval', claimedBy: null });
    expect(await stores.runs.claim(delivery, 'worker')).toBeUndefined();
    expect(await stores.calls.claim(run.runId, 'a')).toBeUndefined();
    await expect(stores.approvals.wait(claim, NO_USAGE)).rejects.toThrow('no longer holds it');
  });

  it('goes on once the last call is decided, under a new enqueueing', async () => {
    const waiting = await waitingRun();
    expect(await decide(waiting, approve('a'))).toMatchObject({ type: 'recorded', next: null });
    expect(await decide(waiting, reject('b', 'not today'))).toMatchObject({
      type: 'recorded',
      next: { runId: waiting.run.runId, enqueueNumber: 2 },
      calls: [
        { callId: 'b', status: 'rejected', decidedBy: BY, output: expect.stringContaining('not today') },
      ],
    });
    expect(await stores.runs.claim(waiting.delivery, 'worker')).toBeUndefined();
    const next = await stores.runs.claim({ ...waiting.delivery, enqueueNumber: 2 }, 'worker');
    expect(next).toMatchObject({ takenOver: false, claim: { attempt: 2 } });
    expect(await stores.calls.claim(waiting.run.runId, 'a')).toMatchObject({
      call: { approval: 'approved' },
    });
    expect(await stores.calls.claim(waiting.run.runId, 'b')).toBeUndefined();
  });

  it('keeps the arguments of both, the model and the person', async () => {
    const waiting = await waitingRun(['a']);
    await decide(waiting, approve('a', '{"n":2}'));
    expect(await stores.calls.find(waiting.run.runId, 'a')).toMatchObject({
      arguments: '{"n":2}',
      originalArguments: '{"n":1}',
      approval: 'approved',
      decidedBy: BY,
      decidedAt: expect.any(Date),
      endedAt: null,
    });
  });

  it('takes the same decision again, then and later, and no other one', async () => {
    const waiting = await waitingRun();
    await decide(waiting, approve('a', '{"n":2}'));
    const again = { type: 'recorded', next: null };
    expect(await decide(waiting, approve('a', '{"n":2}'))).toMatchObject(again);
    for (const other of [approve('a'), approve('a', '{"n":3}'), reject('a')]) {
      expect(await decide(waiting, other)).toMatchObject({
        type: 'decided-otherwise',
        call: { callId: 'a' },
      });
    }
    await decide(waiting, reject('b', 'no'));
    // Its job may have been lost with the answer, so whoever asks again puts it on the queue again.
    expect(await decide(waiting, reject('b', 'no'))).toMatchObject({
      type: 'recorded',
      next: { enqueueNumber: 2 },
    });
    expect(await decide(waiting, reject('b', 'no, because'))).toMatchObject({ type: 'decided-otherwise' });
    await stores.runs.claim({ ...waiting.delivery, enqueueNumber: 2 }, 'worker');
    expect(await decide(waiting, reject('b', 'no'))).toMatchObject({ type: 'recorded', next: null });
  });

  it('takes all decisions of a request or none', async () => {
    const waiting = await waitingRun();
    expect(await decide(waiting, approve('a'), approve('c'))).toEqual({
      type: 'unknown-call',
      callId: 'c',
      known: ['a', 'b'],
    });
    expect(await stores.calls.find(waiting.run.runId, 'a')).toMatchObject({ approval: 'pending' });
  });

  it('takes the last decision once, however many come at once', async () => {
    const waiting = await waitingRun(['a']);
    const decided = await Promise.all([
      decide(waiting, approve('a')),
      decide(waiting, reject('a')),
      decide(waiting, approve('a', '{"n":2}')),
    ]);
    expect(decided.map(({ type }) => type).sort()).toEqual([
      'decided-otherwise',
      'decided-otherwise',
      'recorded',
    ]);
    expect(await stores.runs.find(waiting.run.runId)).toMatchObject({ status: 'queued', enqueueNumber: 2 });
  });

  it('does not count the wait as its time', async () => {
    const waiting = await waitingRun(['a']);
    await letPass(waiting.run.runId, 1_000);
    expect(await stores.control.takeToSettle(waiting.run.runId, 'worker')).toMatchObject({
      type: 'not-due',
      next: null,
    });
    await decide(waiting, approve('a'));
    const claimed = await stores.runs.claim({ ...waiting.delivery, enqueueNumber: 2 }, 'worker');
    expect(claimed?.elapsedMs).toBeLessThan(30_000);
    expect(claimed?.remainingMs).toBeGreaterThan(30_000);
    expect(claimed?.remainingMs).toBeLessThanOrEqual(60_000);
    expect((await stores.control.standing(waiting.run.runId)).elapsedMs).toBeLessThan(30_000);
    expect(claimed?.run).toMatchObject({ approvalRequestedAt: null });
  });

  it('goes on without what nobody has decided of when its time is over', async () => {
    const waiting = await waitingRun();
    const { runId } = waiting.run;
    const early = await stores.control.takeToSettle(runId, 'worker');
    // An order that stayed until then would stand in the way of a cancel.
    expect(early).toEqual({ type: 'not-due', inMs: null, next: null });
    await letPass(runId, 3_599);
    const nearly = await stores.control.takeToSettle(runId, 'worker');
    expect(nearly).toMatchObject({ type: 'not-due', inMs: expect.any(Number) });
    await decide(waiting, approve('a'));
    await letPass(runId, 2);
    expect(await decide(waiting, approve('b'))).toEqual({ type: 'too-late' });
    const next = { runId, enqueueNumber: 2 };
    expect(await stores.control.takeToSettle(runId, 'worker')).toEqual({ type: 'lapsed', next });
    expect(await stores.calls.find(runId, 'a')).toMatchObject({ approval: 'approved', endedAt: null });
    expect(await stores.calls.find(runId, 'b')).toMatchObject({
      approval: 'expired',
      status: 'rejected',
      decidedBy: null,
    });
    // The settling may die before it has put the run on the queue.
    expect(await stores.control.takeToSettle(runId, 'worker')).toMatchObject({ type: 'not-due', next });
    expect(await decide(waiting, approve('b'))).toMatchObject({ type: 'decided-otherwise' });
  });

  it('can be cancelled at once, and its calls cannot be approved then', async () => {
    const waiting = await waitingRun();
    const { runId } = waiting.run;
    await stores.control.requestCancel(runId);
    const settling = await stores.control.takeToSettle(runId, 'worker');
    if (settling.type !== 'taken') throw new Error(settling.type);
    expect(settling.claimed.run).toMatchObject({ status: 'running', approvalRequestedAt: null });
    await stores.calls.closeOpen(settling.claimed.claim, { skipped: () => 'skipped', stopped: 'stopped' });
    expect(await stores.calls.find(runId, 'a')).toMatchObject({ status: 'skipped', approval: 'withdrawn' });
    expect(await decide(waiting, approve('a'))).toMatchObject({ type: 'decided-otherwise' });
  });

  it('holds its session’s line', async () => {
    const { run } = await waitingRun();
    expect(await stores.runs.headOfLine(run.session)).toBeUndefined();
  });
});

describe('a call of a run that is at work', () => {
  it('cannot be decided before the run waits', async () => {
    const { claim, run } = await claimedRun(stores);
    await stores.calls.add(claim, [
      { callId: 'a', iteration: 1, position: 0, name: TOOL, arguments: '{}', approval: 'pending' },
    ]);
    expect(await decide({ run }, approve('a'))).toMatchObject({
      type: 'not-waiting',
      run: { status: 'running' },
    });
  });
});
