import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimedRun, openStores, type Stores } from '../testing/stores';
import { claimedCheckpointer, threadId } from './checkpointer';

let stores: Stores;

beforeAll(async () => {
  stores = await openStores();
});

afterAll(() => stores.connection.pool.end());

describe('a checkpoint', () => {
  it('with a result of several megabytes is read back whole', async () => {
    const { claim, session } = await claimedRun(stores);
    const saver = claimedCheckpointer(stores.connection.pool, claim);
    const thread = { configurable: { thread_id: threadId(session.id), checkpoint_ns: '' } };
    const text = 'interface GigabitEthernet0/0 \u2713\n'.repeat(80_000);
    const checkpoint = {
      v: 4,
      id: '1f0a0000-0000-6000-8000-000000000000',
      ts: '',
      channel_values: { messages: text, empty: '' },
      channel_versions: { messages: 1, empty: 1 },
      versions_seen: {},
    };
    await saver.put(
      thread,
      checkpoint,
      { source: 'input', step: 0, parents: {} },
      checkpoint.channel_versions,
    );
    await saver.putWrites(
      { configurable: { ...thread.configurable, checkpoint_id: checkpoint.id } },
      [['messages', 'pending']],
      'task',
    );
    const tuple = await saver.getTuple(thread);
    expect(tuple?.checkpoint.channel_values).toEqual({ messages: text, empty: '' });
    expect(tuple?.pendingWrites).toEqual([['task', 'messages', 'pending']]);
  });
});
