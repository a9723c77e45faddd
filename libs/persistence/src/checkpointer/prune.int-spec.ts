import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { emptyCheckpoint, uuid6, type Checkpoint } from '@langchain/langgraph-checkpoint';
import type { ClaimedRun } from '../runs/runs.repository';
import { claimedRun, openStores, type Stores } from '../testing/stores';
import { checkpointer, claimedCheckpointer, threadId } from './checkpointer';
import { pruneConversation } from './conversation';

const METADATA = { source: 'loop', step: 1, parents: {} } as const;

let stores: Stores;
let holder: ClaimedRun;
let thread: { configurable: { thread_id: string; checkpoint_ns: string } };

beforeAll(async () => {
  stores = await openStores();
});

afterAll(() => stores.connection.pool.end());

beforeEach(async () => {
  holder = await claimedRun(stores);
  thread = { configurable: { thread_id: threadId(holder.session.id), checkpoint_ns: '' } };
});

const prune = () => pruneConversation(stores.connection.db, holder.session.id);

/** Values by channel, each with its version; those in `changed` are new in this checkpoint. */
async function step(
  n: number,
  values: Record<string, [value: unknown, version: number]>,
  changed: readonly string[],
  of: ClaimedRun = holder,
) {
  const versions = Object.fromEntries(Object.entries(values).map(([name, [, version]]) => [name, version]));
  const checkpoint: Checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(n),
    channel_values: Object.fromEntries(Object.entries(values).map(([name, [value]]) => [name, value])),
    channel_versions: versions,
  };
  const saver = claimedCheckpointer(stores.connection.pool, of.claim);
  const at = await saver.put(
    { configurable: { thread_id: threadId(of.session.id), checkpoint_ns: '' } },
    checkpoint,
    METADATA,
    Object.fromEntries(changed.map((name) => [name, versions[name] ?? 0])),
  );
  await saver.putWrites(at, [['messages', `write of ${n}`]], `task ${n}`);
}

async function count(table: string, { session }: ClaimedRun = holder): Promise<number> {
  const { rows } = await stores.connection.pool.query<{ count: string }>(
    `SELECT count(*) FROM langgraph.${table} WHERE thread_id = $1`,
    [threadId(session.id)],
  );
  return Number(rows[0]?.count);
}

const newest = async () => {
  const tuple = await checkpointer(stores.connection.pool).getTuple(thread);
  return { values: tuple?.checkpoint.channel_values, writes: tuple?.pendingWrites };
};

describe('pruning a conversation', () => {
  it('keeps what the newest checkpoint needs, values from older steps included, and nothing else', async () => {
    await step(1, { messages: ['a', 1], topology: ['lab', 1] }, ['messages', 'topology']);
    await step(2, { messages: ['ab', 2], topology: ['lab', 1] }, ['messages']);
    await step(3, { messages: ['abc', 3], topology: ['lab', 1] }, ['messages']);
    const before = await newest();
    await prune();
    expect(await newest()).toEqual(before);
    expect(before).toEqual({
      values: { messages: 'abc', topology: 'lab' },
      writes: [['task 3', 'messages', 'write of 3']],
    });
    expect([
      await count('checkpoints'),
      await count('checkpoint_writes'),
      await count('checkpoint_blobs'),
    ]).toEqual([1, 1, 2]);
  });

  it('lets a run go on from there', async () => {
    await step(1, { messages: ['a', 1], topology: ['lab', 1] }, ['messages', 'topology']);
    await step(2, { messages: ['ab', 2], topology: ['lab', 1] }, ['messages']);
    await prune();
    await step(3, { messages: ['abc', 3], topology: ['lab', 1] }, ['messages']);
    expect((await newest()).values).toEqual({ messages: 'abc', topology: 'lab' });
  });

  it('leaves other sessions alone, and does nothing where there is nothing', async () => {
    const other = await claimedRun(stores);
    await step(1, { messages: ['a', 1] }, ['messages'], other);
    await step(2, { messages: ['ab', 2] }, ['messages'], other);
    await prune();
    expect(await count('checkpoints', other)).toBe(2);
    expect(await count('checkpoints')).toBe(0);
  });
});
