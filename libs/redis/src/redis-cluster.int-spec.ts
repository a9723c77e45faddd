import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PrivateRedis } from '../../../test/support/private-redis';
import { PrivateRedisCluster } from '../../../test/support/private-redis-cluster';
import { checkRedis, evictionPolicy, isRedisUnavailable } from './redis-check';
import { connectFailFast, connectPatient, waitUntilReady, type RedisClient } from './redis-client';
import { publish, Subscriber } from './subscriber';

let cluster: PrivateRedisCluster;
let patient: RedisClient;
let failFast: RedisClient;

const ignore = () => undefined;

beforeAll(async () => {
  cluster = await PrivateRedisCluster.start(3);
  patient = connectPatient(cluster.url, ignore);
  failFast = connectFailFast(cluster.url, ignore);
  await waitUntilReady(failFast, 10_000);
});

afterAll(async () => {
  patient.disconnect();
  failFast.disconnect();
  await cluster.remove();
});

/** A key or channel on each of the nodes. */
async function oneOnEachNode(suffix: string): Promise<string[]> {
  const found = new Map<number, string>();
  for (let n = 0; found.size < cluster.nodes.length; n += 1) {
    const key = `{tag-${n}}:${suffix}`;
    const node = await cluster.nodeOf(key);
    if (!found.has(node)) found.set(node, key);
  }
  return [...found.keys()].sort().flatMap((node) => found.get(node) ?? []);
}

describe('a connection to a cluster', () => {
  it('brings each key to its node, from the first command on', async () => {
    const keys = await oneOnEachNode('key');
    await Promise.all([...keys, ...keys].map((key) => failFast.set(key, 'value')));
    expect(await Promise.all(keys.map((key) => patient.get(key)))).toEqual(['value', 'value', 'value']);
    const held = await cluster.keys();
    for (const [node, key] of keys.entries()) expect(held[node]).toContain(key);
  });

  it('sees a node that evicts', async () => {
    expect(await evictionPolicy(failFast)).toBe('noeviction');
    await cluster.clients[1]?.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await evictionPolicy(failFast)).toBe('allkeys-lru');
    await expect(checkRedis(failFast)).rejects.toThrow('maxmemory-policy allkeys-lru');
    await cluster.clients[1]?.config('SET', 'maxmemory-policy', 'noeviction');
    await checkRedis(failFast);
  });

  it('fails within seconds or waits, as its kind is, while a node is away', async () => {
    const [, key = ''] = await oneOnEachNode('away');
    await cluster.nodes[1]?.down();
    const waiting = patient.set(key, 'came late');
    const began = performance.now();
    const failure: unknown = await failFast.set(key, 'too early').catch((error: unknown) => error);
    expect(performance.now() - began).toBeLessThan(4_000);
    expect(isRedisUnavailable(failure)).toBe(true);
    await cluster.nodes[1]?.up();
    await waiting;
    expect(await patient.get(key)).toBe('came late');
  });

  it('is refused with the remedy where server and setting do not match', async () => {
    const [node] = cluster.nodes;
    const alone = connectPatient(node?.url ?? '', ignore);
    await expect(checkRedis(alone)).rejects.toThrow('add ?cluster=true');
    alone.disconnect();
    const server = await PrivateRedis.start();
    const asCluster = connectPatient(`${server.url}?cluster=true`, ignore);
    await expect(checkRedis(asCluster)).rejects.toThrow('the server is none');
    asCluster.disconnect();
    await server.remove();
  });
});

describe('a connection to a cluster whose nodes announce other addresses', () => {
  it('goes where the URL says that they are reached', async () => {
    const elsewhere = await PrivateRedisCluster.start(3, 1_001);
    const nat = elsewhere.nodes.map(({ port }, n) => `127.0.0.1:${1_001 + n}/127.0.0.1:${port}`).join(',');
    const client = connectPatient(`${elsewhere.url}?nat=${nat}`, ignore);
    const keys = await oneOnEachNode('nat');
    await Promise.all(keys.map((key) => client.set(key, 'reached')));
    expect((await elsewhere.keys()).map((held) => held.length)).toEqual([1, 1, 1]);
    client.disconnect();
    await elsewhere.remove();
  });
});

describe('a connection to a cluster with passwords', () => {
  it('logs in to every node', async () => {
    for (const client of cluster.clients) await client.config('SET', 'requirepass', 'secret');
    const client = connectPatient(cluster.url.replace('//', '//:secret@'), ignore);
    try {
      const keys = await oneOnEachNode('login');
      await Promise.all(keys.map((key) => client.set(key, 'in')));
    } finally {
      client.disconnect();
      for (const each of cluster.clients) await each.config('SET', 'requirepass', '');
    }
  });
});

describe('a subscriber of a cluster', () => {
  it('hears the channels of all nodes, until it leaves them, and again after a node was away', async () => {
    const channels = await oneOnEachNode('channel');
    const subscriber = new Subscriber(cluster.url, ignore);
    const heard: string[] = [];
    let wake = ignore as () => void;
    subscriber.onMessage((channel, message) => {
      heard.push(`${channel} ${message}`);
      wake();
    });
    const hearing = (count: number) =>
      new Promise<void>((resolve) => {
        wake = () => (heard.length >= count ? resolve() : undefined);
        wake();
      });
    try {
      for (const channel of channels) await subscriber.subscribe(channel);
      for (const channel of channels) await publish(failFast, channel, 'first');
      await hearing(3);
      expect(heard.sort()).toEqual(channels.map((channel) => `${channel} first`).sort());

      const [left = '', stays = ''] = channels;
      await subscriber.unsubscribe(left);
      await publish(failFast, left, 'unheard');
      await publish(failFast, stays, 'second');
      await hearing(4);
      expect(heard[3]).toBe(`${stays} second`);

      const told = new Promise<void>((resolve) => subscriber.onGap(resolve));
      await cluster.nodes[1]?.down();
      await cluster.nodes[1]?.up();
      await told;
      for (let n = 0; heard.length < 5; n += 1) {
        await publish(patient, stays, `again ${n}`);
        await Promise.race([hearing(5), once(AbortSignal.timeout(100), 'abort')]);
      }
      expect(heard[4]).toMatch(`${stays} again`);
      expect(heard.join()).not.toContain('unheard');
    } finally {
      subscriber.close();
    }
  });
});
