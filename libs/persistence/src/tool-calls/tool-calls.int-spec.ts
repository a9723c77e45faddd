import { randomUUID } from 'node:crypto';
import { NO_USAGE } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunsRepository, RunOutcome } from '../runs/runs.repository';
import { claimedRun, openStores, type Stores } from '../testing/stores';
import type { ToolCallsRepository } from './tool-calls.repository';

const PROJECT = randomUUID();
const DONE: RunOutcome = { status: 'completed', stopReason: 'completed', usage: NO_USAGE, messages: 2 };

let stores: Stores;
let runs: RunsRepository;
let calls: ToolCallsRepository;

beforeAll(async () => {
  stores = await openStores();
  ({ runs, calls } = stores);
});

afterAll(() => stores.connection.pool.end());

const claimed = (sessionId: string = randomUUID()) => claimedRun(stores, { projectId: PROJECT, sessionId });

describe('a tool call', () => {
  const call = { callId: 'call_1', iteration: 1, position: 0, name: 'tool', arguments: '{}' };

  it('has one row, however often it is added', async () => {
    const { claim, run } = await claimed();
    await calls.add(claim, [call]);
    await calls.add(claim, [call]);
    expect(await calls.ofIteration(run.runId, 1)).toHaveLength(1);
  });

  it('says when a former worker had started it', async () => {
    const { claim, run } = await claimed();
    await calls.add(claim, [call]);
    expect(await calls.claim(run.runId, 'call_1')).toMatchObject({
      startedBefore: false,
      call: { attempt: 1 },
    });
    expect(await calls.claim(run.runId, 'call_1')).toMatchObject({
      startedBefore: true,
      call: { attempt: 2 },
    });
  });

  it('takes a result only from the newest worker, and once', async () => {
    const { claim, run } = await claimed();
    await calls.add(claim, [call]);
    const former = await calls.claim(run.runId, 'call_1');
    const newest = await calls.claim(run.runId, 'call_1');
    if (!former || !newest) throw new Error('claimed');
    const result = { status: 'succeeded', output: 'ok', retries: 2 } as const;
    expect(await calls.finish(former.call, result)).toBe(false);
    expect(await calls.finish(newest.call, result)).toBe(true);
    expect(await calls.finish(newest.call, result)).toBe(false);
    expect(await calls.claim(run.runId, 'call_1')).toBeUndefined();
    expect(await calls.find(run.runId, 'call_1')).toMatchObject({ retries: 2 });
  });

  it('of an ended run is not taken', async () => {
    const { claim, run } = await claimed();
    await calls.add(claim, [call]);
    await runs.finish(claim, DONE);
    expect(await calls.claim(run.runId, 'call_1')).toBeUndefined();
  });

  it('is found from its own session only, the newest of its id', async () => {
    const sessionId = randomUUID();
    const [first, other] = [await claimed(sessionId), await claimed()];
    await calls.add(first.claim, [call]);
    await runs.finish(first.claim, DONE);
    const second = await claimed(sessionId);
    await calls.add(second.claim, [call]);
    expect(await calls.findInSession(first.session.id, 'call_1')).toMatchObject({ runId: second.run.runId });
    expect(await calls.findInSession(other.session.id, 'call_1')).toBeUndefined();
  });

  it('D15: keeps digits and large outputs as they are', async () => {
    const { claim, run } = await claimed();
    await calls.add(claim, [{ ...call, arguments: '{"n":18446744073709551615}' }]);
    const taken = await calls.claim(run.runId, 'call_1');
    if (!taken) throw new Error('claimed');
    const output = `18446744073709551615 ${'x'.repeat(5_000_000)}`;
    await calls.finish(taken.call, { status: 'succeeded', output, retries: 0 });
    const row = await calls.find(run.runId, 'call_1');
    expect(row?.arguments).toBe('{"n":18446744073709551615}');
    expect(row?.output === output).toBe(true);
  });
});
