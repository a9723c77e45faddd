import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { emptyCheckpoint, INTERRUPT, type Checkpoint } from '@langchain/langgraph-checkpoint';
import { ClaimLostError } from '../claim';
import type { Connection } from '../database';
import type { ClaimedRun, RunsRepository } from '../runs/runs.repository';
import { claimedRun, openStores, type Stores } from '../testing/stores';
import { checkpointer, claimedCheckpointer, threadId } from './checkpointer';

const METADATA = { source: 'loop', step: 1, parents: {} } as const;

let stores: Stores;
let connection: Connection;
let runs: RunsRepository;
let holder: ClaimedRun;
let thread: { configurable: { thread_id: string; checkpoint_ns: string; checkpoint_id?: string } };

beforeAll(async () => {
  stores = await openStores();
  ({ connection, runs } = stores);
});

afterAll(() => connection.pool.end());

beforeEach(async () => {
  holder = await claimedRun(stores);
  thread = { configurable: { thread_id: threadId(holder.session.id), checkpoint_ns: '' } };
});

async function claim(run: ClaimedRun['run']): Promise<ClaimedRun> {
  const claimed = await runs.claim({ runId: run.runId, enqueueNumber: 1 }, 'worker');
  if (!claimed) throw new Error('the run can be claimed');
  return claimed;
}

const saver = () => claimedCheckpointer(connection.pool, holder.claim);

const withValues = (values: Record<string, unknown>): Checkpoint => ({
  ...emptyCheckpoint(),
  channel_values: values,
  channel_versions: Object.fromEntries(Object.keys(values).map((channel) => [channel, 1])),
});

const versionsOf = ({ channel_versions }: Checkpoint) => channel_versions;

describe('a saver of a claimed run', () => {
  it('stores checkpoints so that the plain saver reads them: values, parents, metadata', async () => {
    const first = withValues({ messages: ['a', 'b\u0001'], topology: null, progress: { iterations: 2 } });
    const second = withValues({});
    const parent = await saver().put(thread, first, METADATA, versionsOf(first));
    await saver().put(parent, second, METADATA, {});

    const plain = checkpointer(connection.pool);
    const latest = await plain.getTuple(thread);
    expect(latest).toMatchObject({
      checkpoint: { id: second.id },
      parentConfig: { configurable: { checkpoint_id: first.id } },
      metadata: METADATA,
    });
    const before = await plain.getTuple(latest?.parentConfig ?? {});
    expect(before?.checkpoint.channel_values).toEqual(first.channel_values);
    expect(before?.parentConfig).toBeUndefined();
  });

  it('replaces a checkpoint of the same id, and keeps a blob that a version has already', async () => {
    const checkpoint = withValues({ title: 'one' });
    await saver().put(thread, checkpoint, METADATA, versionsOf(checkpoint));
    const again = { ...checkpoint, channel_values: { title: 'two' } };
    await saver().put(thread, again, { ...METADATA, step: 2 }, versionsOf(again));
    expect(await saver().getTuple(thread)).toMatchObject({
      checkpoint: { channel_values: { title: 'one' } },
      metadata: { step: 2 },
    });
  });

  it("keeps a task's first values and replaces LangGraph's own marks", async () => {
    const checkpoint = emptyCheckpoint();
    const at = await saver().put(thread, checkpoint, METADATA, {});
    await saver().putWrites(
      at,
      [
        ['messages', 'first'],
        ['title', 't'],
      ],
      'task',
    );
    await saver().putWrites(
      at,
      [
        ['messages', 'second'],
        ['title', 't'],
      ],
      'task',
    );
    await saver().putWrites(
      at,
      [
        [INTERRUPT, 'one'],
        [INTERRUPT, 'two'],
      ],
      'asking',
    );
    await saver().putWrites(at, [[INTERRUPT, 'three']], 'asking');
    await saver().putWrites(at, [], 'idle');
    const { pendingWrites } = (await saver().getTuple(thread)) ?? {};
    expect(pendingWrites).toEqual([
      ['asking', INTERRUPT, 'three'],
      ['task', 'messages', 'first'],
      ['task', 'title', 't'],
    ]);
  });

  it('writes nothing once another worker has claimed the run: no checkpoint, no blob, no write', async () => {
    const checkpoint = withValues({ title: 'mine' });
    const at = await saver().put(thread, checkpoint, METADATA, versionsOf(checkpoint));
    await claim(holder.run);

    const late = { ...checkpoint, id: emptyCheckpoint().id, channel_versions: { title: 2 } };
    await expect(saver().put(at, late, METADATA, { title: 2 })).rejects.toThrow(ClaimLostError);
    await expect(saver().putWrites(at, [['title', 'late']], 'task')).rejects.toThrow(ClaimLostError);
    await expect(saver().putWrites(at, [], 'task')).rejects.toThrow(ClaimLostError);
    const { rows } = await connection.pool.query(
      `SELECT (SELECT count(*)::int FROM langgraph.checkpoints WHERE thread_id = $1) AS checkpoints,
              (SELECT count(*)::int FROM langgraph.checkpoint_blobs WHERE thread_id = $1) AS blobs,
              (SELECT count(*)::int FROM langgraph.checkpoint_writes WHERE thread_id = $1) AS writes`,
      [thread.configurable.thread_id],
    );
    expect(rows).toEqual([{ checkpoints: 1, blobs: 1, writes: 0 }]);
  });

  it('waits for a claim that is being made, and is refused when that one comes through', async () => {
    const other = await connection.pool.connect();
    try {
      await other.query('BEGIN');
      await other.query('UPDATE runs SET attempt = attempt + 1 WHERE run_id = $1', [holder.run.runId]);
      const outcome = saver()
        .put(thread, emptyCheckpoint(), METADATA, {})
        .catch((error: unknown) => error);
      await waitingForLock();
      await other.query('COMMIT');
      expect(await outcome).toBeInstanceOf(ClaimLostError);
    } finally {
      other.release();
    }
    expect(await saver().getTuple(thread)).toBeUndefined();
  });

  it("refuses to delete a thread once the claim is lost, as the saver's other writes are fenced too", async () => {
    await saver().put(thread, emptyCheckpoint(), METADATA, {});
    await claim(holder.run);
    await expect(saver().deleteThread(thread.configurable.thread_id)).rejects.toThrow(ClaimLostError);
    expect(await saver().getTuple(thread)).toBeDefined();
  });
});

/** Resolves once a statement of this test waits for the lock on the run's row. */
async function waitingForLock(): Promise<void> {
  for (;;) {
    const { rowCount } = await connection.pool.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%held AS MATERIALIZED%'`,
    );
    if (rowCount) return;
  }
}
