import { MAX_REDELIVERIES, NO_USAGE, SETTLE_GRACE_MS } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClaimLostError } from '../claim';
import type { Connection } from '../database';
import { newRun } from '../../../../test/support/new-run';
import { claimedRun, openStores, type Stores } from '../testing/stores';
import type { ToolCallsRepository } from '../tool-calls/tool-calls.repository';
import type { RunControlRepository } from './run-control.repository';
import type { RunsRepository } from './runs.repository';

let stores: Stores;
let connection: Connection;
let runs: RunsRepository;
let control: RunControlRepository;
let calls: ToolCallsRepository;

beforeAll(async () => {
  stores = await openStores();
  ({ connection, runs, control, calls } = stores);
});

afterAll(() => connection.pool.end());

const fields = (maxSeconds = 60) => ({
  limits: { requested: {}, effective: { max_tool_calls: 3 }, maxSeconds },
});
const accepted = async (maxSeconds?: number) => (await stores.intake.accept(newRun(fields(maxSeconds)))).run;
const claimed = (maxSeconds?: number) => claimedRun(stores, fields(maxSeconds));

/** As if the time had passed: the deadline lies that far back. */
async function passDeadline(runId: string, agoMs: number): Promise<void> {
  const sql = "UPDATE runs SET deadline_at = now() - $2 * interval '1 millisecond' WHERE run_id = $1";
  await connection.pool.query(sql, [runId, agoMs]);
}

const settle = (runId: string) => control.takeToSettle(runId, 'settler');

describe('a run that is to be ended from outside', () => {
  it('is not due while nobody has cancelled it and its time is not over', async () => {
    const queued = await accepted();
    expect(await settle(queued.runId)).toMatchObject({ type: 'not-due', inMs: null });
    const { claim } = await claimed();
    const settling = await settle(claim.runId);
    expect(settling).toMatchObject({ type: 'not-due' });
    expect(settling.type === 'not-due' && settling.inMs).toBeGreaterThan(55_000);
  });

  it('is taken at once when it was cancelled and nobody holds it; it has never begun then', async () => {
    const { runId } = await accepted();
    expect(await control.requestCancel(runId)).toBe(true);
    expect(await settle(runId)).toMatchObject({
      type: 'taken',
      claimed: {
        run: { status: 'running', attempt: 1, enqueueNumber: 2, startedAt: null, deadlineAt: null },
      },
    });
  });

  it('is left to who holds it for a moment, then taken from them', async () => {
    const { claim } = await claimed();
    await control.requestCancel(claim.runId);
    const settling = await settle(claim.runId);
    expect(settling.type === 'not-due' && settling.inMs).toBeLessThanOrEqual(SETTLE_GRACE_MS);
    await connection.pool.query(
      "UPDATE runs SET cancel_requested_at = now() - interval '3 seconds' WHERE run_id = $1",
      [claim.runId],
    );
    expect(await settle(claim.runId)).toMatchObject({ type: 'taken', claimed: { takenOver: true } });
    await expect(runs.release(claim, 'queued')).rejects.toThrow(ClaimLostError);
  });

  it('is taken after its deadline, also from its tools; what was on its way to it is stale', async () => {
    const { claim, run } = await claimed();
    await runs.release(claim, 'waiting_tools', NO_USAGE);
    await passDeadline(claim.runId, SETTLE_GRACE_MS / 2);
    expect(await settle(claim.runId)).toMatchObject({ type: 'not-due' });
    await passDeadline(claim.runId, SETTLE_GRACE_MS + 1);
    expect(await settle(claim.runId)).toMatchObject({ type: 'taken' });
    expect(await runs.claim(run, 'late')).toBeUndefined();
  });

  it('is taken at once when the queue has lost it too often, and not before', async () => {
    const { claim } = await claimed();
    const lost = (times: number) =>
      connection.pool.query('UPDATE runs SET redeliveries = $2 WHERE run_id = $1', [claim.runId, times]);
    await lost(MAX_REDELIVERIES);
    expect(await settle(claim.runId)).toMatchObject({ type: 'not-due' });
    await lost(MAX_REDELIVERIES + 1);
    expect(await settle(claim.runId)).toMatchObject({ type: 'taken' });
  });

  it('is left alone when it has ended, and cancelling it changes nothing', async () => {
    const { claim } = await claimed();
    await runs.finish(claim, { status: 'completed', stopReason: 'completed', usage: NO_USAGE, messages: 2 });
    expect(await control.requestCancel(claim.runId)).toBe(false);
    expect(await settle(claim.runId)).toEqual({ type: 'ended' });
    expect((await runs.find(claim.runId))?.cancelRequestedAt).toBeNull();
  });

  it('has its open calls closed, and a worker that comes late stores nothing', async () => {
    const { claim } = await claimed();
    const call = (position: number) => ({
      callId: `c${position}`,
      ...{ iteration: 1, position, name: 'gns3_topology_reader', arguments: '{}' },
    });
    await calls.add(claim, [call(0), call(1), { ...call(2), refusal: 'over a limit' }]);
    const begun = await calls.claim(claim.runId, 'c0');
    await calls.closeOpen(claim, { skipped: (callId) => `skipped ${callId}`, stopped: 'stopped' });
    const rows = await calls.ofIteration(claim.runId, 1);
    expect(rows.map(({ status, output }) => [status, output])).toEqual([
      ['unknown', 'stopped'],
      ['skipped', 'skipped c1'],
      ['refused', 'over a limit'],
    ]);
    const late = { status: 'succeeded', output: 'late', retries: 0 } as const;
    expect(begun && (await calls.finish(begun.call, late))).toBe(false);
    expect(await calls.claim(claim.runId, 'c1')).toBeUndefined();
  });
});

describe('limits that are changed', () => {
  const change = (runId: string, maxSeconds: number) =>
    control.changeLimits(runId, () => ({
      effective: { max_tool_calls: 1 },
      maxSeconds,
      by: 'user-1',
      changes: { max_tool_calls: { from: 3, to: 1 } },
    }));

  it('move the deadline by as much as the limit, and are kept with who changed them', async () => {
    const { claim, run } = await claimed(60);
    const changed = await change(claim.runId, 90);
    expect(changed).toMatchObject({
      changed: true,
      run: { effectiveLimits: { max_tool_calls: 1 }, maxSeconds: 90, limitChanges: [{ by: 'user-1' }] },
    });
    const moved = (changed?.run.deadlineAt?.getTime() ?? 0) - (run.deadlineAt?.getTime() ?? 0);
    expect(moved).toBe(30_000);
    expect(await control.standing(claim.runId)).toMatchObject({ effectiveLimits: { max_tool_calls: 1 } });
  });

  it('of a run that waits have no deadline to move', async () => {
    const { runId } = await accepted();
    expect((await change(runId, 5))?.run.deadlineAt).toBeNull();
    const begun = await runs.claim({ runId, enqueueNumber: 1 }, 'worker');
    expect(Math.round((begun?.remainingMs ?? 0) / 1_000)).toBe(5);
  });

  it('both hold when two are made at once', async () => {
    const { claim } = await claimed();
    const one = (name: string) =>
      control.changeLimits(claim.runId, ({ effectiveLimits, maxSeconds }) => ({
        effective: { ...effectiveLimits, [name]: 1 },
        maxSeconds,
        by: name,
        changes: { [name]: { from: null, to: 1 } },
      }));
    await Promise.all([one('max_iterations'), one('max_parallel_tools')]);
    const run = await runs.find(claim.runId);
    expect(run?.effectiveLimits).toMatchObject({ max_iterations: 1, max_parallel_tools: 1 });
    expect(run?.limitChanges).toHaveLength(2);
  });

  it('of an ended run stay as they are', async () => {
    const { claim } = await claimed();
    await runs.finish(claim, { status: 'completed', stopReason: 'completed', usage: NO_USAGE, messages: 2 });
    expect(await change(claim.runId, 5)).toBeUndefined();
  });
});
