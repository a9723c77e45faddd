import { randomUUID } from 'node:crypto';
import { NO_USAGE } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SessionNotFoundError } from '../sessions/open-session';
import { newRun } from '../../../../test/support/new-run';
import { openStores, type Stores } from '../testing/stores';
import { SessionBusyError } from './multitask';
import type { NewRun } from './run-intake';
import type { RunOutcome } from './runs.repository';

const PROJECT = randomUUID();
const DONE: RunOutcome = { status: 'completed', stopReason: 'completed', usage: NO_USAGE, messages: 2 };

let stores: Stores;

beforeAll(async () => {
  stores = await openStores();
});

afterAll(() => stores.connection.pool.end());

/** Sends messages to one session. */
function sessionOf(sessionId: string = randomUUID()) {
  return (fields: Partial<NewRun> = {}) =>
    stores.intake.accept(newRun({ projectId: PROJECT, sessionId, ...fields }));
}

async function cancelled(...runIds: string[]): Promise<boolean[]> {
  const found = await Promise.all(runIds.map((runId) => stores.runs.find(runId)));
  return found.map((run) => run?.cancelRequestedAt instanceof Date);
}

const settled = (sending: readonly Promise<unknown>[]) =>
  Promise.allSettled(sending).then((all) => all.map(({ status }) => status).toSorted());

describe('a message that is to be rejected on a busy session', () => {
  const reject = { multitaskStrategy: 'reject' } as const;

  it('is accepted on an idle session, a new one or one whose runs have ended', async () => {
    const send = sessionOf();
    const first = await send(reject);
    expect(first).toMatchObject({ queuePosition: 0, interrupted: [], run: { enqueueNumber: 1 } });
    const claimed = await stores.runs.claim(first.run, 'worker');
    if (claimed) await stores.runs.finish(claimed.claim, DONE);
    expect(await send(reject)).toMatchObject({ queuePosition: 0 });
  });

  it('is refused with the run that is in its way, how that stands, and what can be done', async () => {
    const send = sessionOf('busy');
    const first = await send();
    const path = `/v3/projects/${PROJECT}/chat/runs/${first.run.runId}`;
    await expect(send(reject)).rejects.toThrow(
      `Session 'busy' is busy: its run '${first.run.runId}' is queued. Wait for its end (GET ${path}?wait=30) or end it (POST ${path}/cancel), then send the message again; or send it with multitask_strategy "enqueue", to wait in line, or "interrupt", to cancel what is unfinished`,
    );
    await stores.runs.claim(first.run, 'worker');
    await send();
    await expect(send(reject)).rejects.toThrow(`is running, and 1 more wait behind it.`);
    await stores.control.requestCancel(first.run.runId);
    await expect(send(reject)).rejects.toThrow(`is being cancelled, and 1 more wait behind it.`);
    expect(await cancelled(first.run.runId)).toEqual([true]);
  });

  it('leaves nothing behind when it is refused', async () => {
    const send = sessionOf();
    const { session } = await send();
    await expect(send(reject)).rejects.toThrow(SessionBusyError);
    const { rows } = await stores.connection.pool.query('SELECT 1 FROM runs WHERE session = $1', [
      session.id,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('is accepted once when many come at once', async () => {
    const send = sessionOf();
    const all = await settled(Array.from({ length: 8 }, () => send(reject)));
    expect(all).toEqual(['fulfilled', ...Array.from({ length: 7 }, () => 'rejected')]);
  });

  it("never tells of another user's run", async () => {
    const send = sessionOf();
    await send();
    await expect(send({ ...reject, userId: 'user-2' })).rejects.toThrow(SessionNotFoundError);
  });
});

describe('a message that interrupts', () => {
  const interrupt = { multitaskStrategy: 'interrupt' } as const;

  it('cancels nothing on an idle session', async () => {
    expect(await sessionOf()(interrupt)).toMatchObject({ queuePosition: 0, interrupted: [] });
  });

  it('cancels every unfinished run of its session at that moment, and is next behind them', async () => {
    const send = sessionOf();
    const ended = await send();
    const claimed = await stores.runs.claim(ended.run, 'worker');
    if (claimed) await stores.runs.finish(claimed.claim, DONE);
    const elsewhere = await sessionOf()();
    const [working, waiting] = [await send(), await send()];
    await stores.runs.claim(working.run, 'worker');

    const next = await send(interrupt);
    const unfinished = [working.run.runId, waiting.run.runId];
    expect(next.queuePosition).toBe(2);
    expect([...next.interrupted].toSorted()).toEqual(unfinished.toSorted());
    expect(await cancelled(...unfinished)).toEqual([true, true]);

    const later = await send();
    expect(await cancelled(ended.run.runId, elsewhere.run.runId, next.run.runId, later.run.runId)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('keeps the time at which a run was cancelled before', async () => {
    const send = sessionOf();
    const { run } = await send();
    await stores.control.requestCancel(run.runId);
    const before = await stores.runs.find(run.runId);
    expect((await send(interrupt)).interrupted).toEqual([run.runId]);
    expect(await stores.runs.find(run.runId)).toEqual(before);
  });

  it('and others at once: each cancels those before it, and only the last is left', async () => {
    const send = sessionOf();
    const all = await Promise.all(Array.from({ length: 6 }, () => send(interrupt)));
    const inOrder = all.toSorted((a, b) => a.run.sequence - b.run.sequence).map(({ run }) => run.runId);
    expect(await cancelled(...inOrder)).toEqual([true, true, true, true, true, false]);
  });

  it('that cannot be stored cancels nothing', async () => {
    const send = sessionOf();
    const { run } = await send();
    await expect(send({ ...interrupt, modelConfigId: 'no UUID' })).rejects.toThrow();
    expect(await cancelled(run.runId)).toEqual([false]);
  });

  it('and a run that ends at that moment do not wait for each other', async () => {
    const send = sessionOf();
    const { run, session } = await send();
    const claimed = await stores.runs.claim(run, 'worker');
    if (!claimed) throw new Error('a new run can be claimed');
    // An interrupting message, stopped between its two locks.
    const client = await stores.connection.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE', [session.id]);
    const ending = stores.runs.finish(claimed.claim, DONE);
    await waitsForLock();
    await client.query('UPDATE runs SET cancel_requested_at = now() WHERE run_id = $1', [run.runId]);
    await client.query('COMMIT');
    client.release();
    await ending;
    expect(await stores.runs.find(run.runId)).toMatchObject({ status: 'completed' });
  });
});

describe('a message that is sent twice under one idempotency key', () => {
  it.each(['enqueue', 'reject', 'interrupt'] as const)(
    'with the strategy %s is the same run, one after the other and at once',
    async (multitaskStrategy) => {
      const send = sessionOf();
      const request = { multitaskStrategy, idempotency: { key: randomUUID(), requestHash: 'h' } };
      const all = await Promise.all(Array.from({ length: 6 }, () => send(request)));
      all.push(await send(request));
      const [first] = all;
      expect(new Set(all.map(({ run }) => run.runId)).size).toBe(1);
      expect(all.filter(({ repeated }) => !repeated)).toHaveLength(1);
      expect(all.flatMap(({ interrupted }) => interrupted)).toEqual([]);
      expect(await cancelled(String(first?.run.runId))).toEqual([false]);
    },
  );
});

/** Resolves once somebody on this database waits for a lock. */
async function waitsForLock(): Promise<void> {
  for (;;) {
    const { rows } = await stores.connection.pool.query(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    if (rows.length > 0) return;
  }
}
