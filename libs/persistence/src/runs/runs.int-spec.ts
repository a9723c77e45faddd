import { randomUUID } from 'node:crypto';
import { NO_USAGE } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimedCheckpointer, threadId } from '../checkpointer/checkpointer';
import { ClaimLostError } from '../claim';
import { SessionNotFoundError } from '../sessions/open-session';
import { newRun } from '../../../../test/support/new-run';
import { claimedRun, openStores, type Stores } from '../testing/stores';
import type { ToolCallsRepository } from '../tool-calls/tool-calls.repository';
import type { RunsRepository, RunOutcome } from './runs.repository';

const PROJECT = randomUUID();
const DONE: RunOutcome = { status: 'completed', stopReason: 'completed', usage: NO_USAGE, messages: 2 };
const FIELDS = {
  projectId: PROJECT,
  limits: { requested: { max_tool_calls: 3 }, effective: { max_tool_calls: 3 }, maxSeconds: 60 },
};

let stores: Stores;
let runs: RunsRepository;
let calls: ToolCallsRepository;

beforeAll(async () => {
  stores = await openStores();
  ({ runs, calls } = stores);
});

afterAll(() => stores.connection.pool.end());

const accept = (sessionId: string = randomUUID(), message = 'hello', userId = 'user-1') =>
  stores.intake.accept(newRun({ ...FIELDS, sessionId, message, userId }));

const claimed = (sessionId: string = randomUUID()) => claimedRun(stores, { ...FIELDS, sessionId });

/** Until a statement on this database waits for another transaction to end. */
async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { rowCount } = await stores.connection.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rowCount) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a session', () => {
  it('has its runs in line, one enqueued at a time', async () => {
    const sessionId = randomUUID();
    const [first, second, third] = [
      await accept(sessionId),
      await accept(sessionId),
      await accept(sessionId),
    ];
    expect([first, second, third].map(({ queuePosition }) => queuePosition)).toEqual([0, 1, 2]);
    expect([first, second, third].map(({ run }) => run.enqueueNumber)).toEqual([1, 0, 0]);
    expect(await runs.claim(second.run, 'worker')).toBeDefined();
  });

  it('is worked off in order when its head ends', async () => {
    const sessionId = randomUUID();
    const first = await claimed(sessionId);
    const second = await accept(sessionId);
    expect(await runs.headOfLine(first.session.id)).toBeUndefined();
    expect(await runs.positionInLine(second.run)).toBe(1);
    await runs.finish(first.claim, DONE);
    expect(await runs.positionInLine(second.run)).toBe(0);
    expect(await runs.headOfLine(first.session.id)).toEqual({ runId: second.run.runId, enqueueNumber: 1 });
    expect(await runs.headOfLine(first.session.id)).toMatchObject({ enqueueNumber: 1 });
  });

  it('counts a line right when messages come in at once', async () => {
    const sessionId = randomUUID();
    const accepted = await Promise.all(Array.from({ length: 8 }, () => accept(sessionId)));
    expect(accepted.map(({ queuePosition }) => queuePosition).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('is not found by another user', async () => {
    const sessionId = randomUUID();
    await accept(sessionId);
    await expect(accept(sessionId, 'hello', 'user-2')).rejects.toThrow(SessionNotFoundError);
  });

  it('adds up what its runs used and takes a generated title once', async () => {
    const first = await claimed();
    const usage = { ...NO_USAGE, llm_calls: 2, input_tokens: 30, output_tokens: 5 };
    await runs.finish(first.claim, { ...DONE, usage, title: 'First', messages: 4 });
    const second = await claimed(first.session.sessionId);
    await runs.finish(second.claim, { ...DONE, usage, title: 'Second', messages: 2 });
    const found = await runs.findOwned(second.run.runId, { projectId: PROJECT, userId: 'user-1' });
    expect(found?.session).toMatchObject({
      title: 'First',
      messageCount: 6,
      llmCallsCount: 4,
      inputTokens: 60,
      outputTokens: 10,
    });
  });

  it('B6: stores a message with NUL and lone surrogates', async () => {
    const { run } = await accept(randomUUID(), `\0\0a\ud83dz`);
    expect((await runs.find(run.runId))?.message).toBe('\ufffd\ufffda\ufffdz');
  });
});

describe('a claim', () => {
  it('raises the attempt, and tells a lost claim from one that was released', async () => {
    const first = await claimed();
    expect(first).toMatchObject({ claim: { attempt: 1 }, takenOver: false });
    const second = await runs.claim(first.run, 'other');
    expect(second).toMatchObject({ claim: { attempt: 2 }, takenOver: true });
    if (!second) throw new Error('claimed');
    await runs.release(second.claim, 'waiting_tools', NO_USAGE);
    expect(await runs.claim(first.run, 'third')).toMatchObject({ claim: { attempt: 3 }, takenOver: false });
  });

  it('sets the deadline with the first one, and counts the time by the clock of the database', async () => {
    const first = await claimed();
    expect(first).toMatchObject({ elapsedMs: 0, remainingMs: 60_000 });
    const second = await runs.claim(first.run, 'other');
    expect(second?.run.deadlineAt).toEqual(first.run.deadlineAt);
    expect((second?.elapsedMs ?? 0) + (second?.remainingMs ?? 0)).toBe(60_000);
    await calls.add(second?.claim ?? first.claim, [
      { callId: 'c', iteration: 1, position: 0, name: 'x', arguments: '' },
    ]);
    const call = await calls.claim(first.run.runId, 'c');
    expect(call?.remainingMs).toBeLessThanOrEqual(60_000);
    expect(call?.remainingMs).toBeGreaterThan(0);
    expect(Number.isInteger(call?.remainingMs)).toBe(true);
  });

  it('is released with what the run has used so far', async () => {
    const { claim, run } = await claimed();
    const usage = { ...NO_USAGE, llm_calls: 2, by_tool: { x: 1 } };
    await runs.release(claim, 'waiting_tools', usage);
    expect(await runs.find(run.runId)).toMatchObject({
      usage,
      requestedLimits: { max_tool_calls: 3 },
      effectiveLimits: { max_tool_calls: 3 },
    });
  });

  it('is refused for a stale delivery and for an ended run', async () => {
    const { run, claim } = await claimed();
    expect(await runs.claim({ runId: run.runId, enqueueNumber: 2 }, 'worker')).toBeUndefined();
    await runs.finish(claim, DONE);
    expect(await runs.claim(run, 'worker')).toBeUndefined();
  });

  it('once lost, writes nothing more: no end, no release, no call, no checkpoint', async () => {
    const former = await claimed();
    await runs.claim(former.run, 'other');
    const checkpoint = {
      v: 4,
      id: randomUUID(),
      ts: '',
      channel_values: {},
      channel_versions: {},
      versions_seen: {},
    };
    const thread = { configurable: { thread_id: threadId(former.session.id), checkpoint_ns: '' } };
    const saver = claimedCheckpointer(stores.connection.pool, former.claim);

    await expect(runs.finish(former.claim, DONE)).rejects.toThrow(ClaimLostError);
    await expect(runs.release(former.claim, 'queued')).rejects.toThrow(ClaimLostError);
    await expect(
      calls.add(former.claim, [{ callId: 'c', iteration: 1, position: 0, name: 'x', arguments: '' }]),
    ).rejects.toThrow(ClaimLostError);
    await expect(
      saver.put(thread, checkpoint, { source: 'input', step: 0, parents: {} }, {}),
    ).rejects.toThrow(ClaimLostError);
    expect(await saver.getTuple(thread)).toBeUndefined();
    expect(await calls.ofRun(former.run.runId)).toEqual([]);
  });
});

describe('a withdrawn run', () => {
  it('leaves nothing behind, not even the session that was made for it', async () => {
    const { run, session } = await accept();
    expect(await stores.intake.withdraw(run.runId)).toBe(true);
    expect(await runs.find(run.runId)).toBeUndefined();
    const again = await accept(session.sessionId);
    expect(again.session.id).not.toBe(session.id);
  });

  it('does not take the session from a message that is accepted at the same moment', async () => {
    const { run, session } = await accept();
    const withdrawing = await stores.connection.pool.connect();
    try {
      await withdrawing.query('BEGIN');
      await withdrawing.query('SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE', [session.id]);
      const accepting = accept(session.sessionId);
      await untilSomebodyWaits();
      await withdrawing.query('DELETE FROM runs WHERE run_id = $1', [run.runId]);
      await withdrawing.query('DELETE FROM sessions WHERE id = $1', [session.id]);
      await withdrawing.query('COMMIT');
      expect((await accepting).session).toMatchObject({ sessionId: session.sessionId, userId: 'user-1' });
    } finally {
      withdrawing.release();
    }
  });

  it('stays when a worker has it already', async () => {
    const { run } = await claimed();
    expect(await stores.intake.withdraw(run.runId)).toBe(false);
    expect(await runs.find(run.runId)).toBeDefined();
  });
});
