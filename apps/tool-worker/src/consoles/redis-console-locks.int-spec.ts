import { randomUUID } from 'node:crypto';
import { once, EventEmitter } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectPatient, waitUntilReady, type RedisClient } from '@copilot/redis';
import { ConsoleLockLostError } from './console-locks';
import { RedisConsoleLocks } from './redis-console-locks';

const LEASE = { leaseMs: 600, renewMs: 150, waiterMs: 600 };
const never = new AbortController().signal;

/** A moment that a test waits for. */
function signpost(): { reached: Promise<void>; reach: () => void } {
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return { reached, reach };
}

function request(owner: string, extra: { signal?: AbortSignal; onWaiting?: (ahead: number) => void } = {}) {
  return { owner, signal: never, onWaiting: () => undefined, ...extra };
}

describe('console locks in Redis', () => {
  let redis: RedisClient;
  let other: RedisClient;
  let key: string;

  beforeAll(async () => {
    const url = process.env.REDIS_URL;
    if (url === undefined) throw new Error('REDIS_URL is not set');
    redis = connectPatient(url, () => undefined);
    other = connectPatient(url, () => undefined);
    await Promise.all([waitUntilReady(redis, 10_000), waitUntilReady(other, 10_000)]);
  });

  afterAll(() => {
    redis.disconnect();
    other.disconnect();
  });

  beforeEach(() => {
    key = randomUUID();
  });

  it('lets one in at a time, over all workers', async () => {
    let inside = 0;
    let most = 0;
    const use = (locks: RedisConsoleLocks, owner: string) =>
      locks.withLock(key, request(owner), async () => {
        inside += 1;
        most = Math.max(most, inside);
        await redis.ping();
        inside -= 1;
      });
    const workers = [new RedisConsoleLocks(redis, LEASE), new RedisConsoleLocks(other, LEASE)];
    await Promise.all(workers.flatMap((locks) => ['a', 'b', 'c'].map((owner) => use(locks, owner))));
    expect(most).toBe(1);
  });

  it('serves in the order of asking and tells how many come first', async () => {
    const locks = new RedisConsoleLocks(redis, LEASE);
    const order: string[] = [];
    const told: Record<string, number[]> = {};
    const waits = new EventEmitter();
    const first = signpost();
    const use = (owner: string, work: () => Promise<void>) =>
      locks.withLock(
        key,
        request(owner, {
          onWaiting: (ahead) => {
            (told[owner] ??= []).push(ahead);
            waits.emit(owner);
          },
        }),
        async () => {
          order.push(owner);
          await work();
        },
      );
    const done = async () => undefined;
    const holding = use('a', () => first.reached);
    const bWaits = once(waits, 'b');
    const b = use('b', done);
    await bWaits;
    const cWaits = once(waits, 'c');
    const c = use('c', done);
    await cWaits;
    first.reach();
    await Promise.all([holding, b, c]);
    expect(order).toEqual(['a', 'b', 'c']);
    expect(told.b).toEqual([1]);
    expect(told.c?.[0]).toBe(2);
  });

  it('keeps the console past its lease while the holder lives', async () => {
    const locks = new RedisConsoleLocks(redis, LEASE);
    const held = signpost();
    const renewedOften = signpost();
    let renewals = 0;
    if (!('monitor' in other)) throw new Error('the tests have a Redis that is no cluster');
    const monitor = await other.monitor();
    monitor.on('monitor', (_time: string, args: string[]) => {
      if (args[0]?.toLowerCase() === 'pexpire' && args[1]?.includes(key) && (renewals += 1) === 8)
        renewedOften.reach();
    });
    const startMs = Date.now();
    const holding = locks.withLock(key, request('a'), async (signal) => {
      held.reach();
      await renewedOften.reached;
      expect(Date.now() - startMs).toBeGreaterThan(LEASE.leaseMs);
      expect(signal.aborted).toBe(false);
    });
    await held.reached;
    await holding;
    monitor.disconnect();
  });

  it('gives the console of a process that died to the next, when the lease has ended', async () => {
    await redis.set(`{copilot}:console:${key}`, 'dead#1', 'PX', 500);
    const startMs = Date.now();
    await new RedisConsoleLocks(redis, LEASE).withLock(key, request('next'), async () => {
      expect(Date.now() - startMs).toBeGreaterThanOrEqual(400);
    });
  });

  it('passes over a waiter that died in the line', async () => {
    await redis.zadd(`{copilot}:console:${key}:line`, 0, 'dead#1');
    await redis.hset(`{copilot}:console:${key}:asked`, 'dead#1', Date.now());
    await expect(
      new RedisConsoleLocks(redis, LEASE).withLock(key, request('next'), async () => 'in'),
    ).resolves.toBe('in');
  });

  it('tells the holder that lost its lease before it types again', async () => {
    const locks = new RedisConsoleLocks(redis, LEASE);
    const reason = await locks.withLock(key, request('slow'), async (signal) => {
      const lost = once(signal, 'abort');
      await other.set(`{copilot}:console:${key}`, 'another#1', 'PX', 5_000);
      await lost;
      return signal.reason as unknown;
    });
    expect(reason).toBeInstanceOf(ConsoleLockLostError);
    expect(await redis.get(`{copilot}:console:${key}`)).toBe('another#1');
  });

  it('leaves the line when the caller gives up, and passes the abort on to a holder', async () => {
    const locks = new RedisConsoleLocks(redis, LEASE);
    const giveUp = new AbortController();
    const stop = new AbortController();
    const holding = locks.withLock(key, request('a', { signal: stop.signal }), async (signal) => {
      const waiting = locks.withLock(
        key,
        request('b', { signal: giveUp.signal, onWaiting: () => giveUp.abort(new Error('gave up')) }),
        async () => 'never',
      );
      await expect(waiting).rejects.toThrow();
      expect(await redis.zcard(`{copilot}:console:${key}:line`)).toBe(0);
      stop.abort(new Error('stop'));
      return signal.aborted;
    });
    await expect(holding).resolves.toBe(true);
  });

  it('leaves nothing behind that has no end', async () => {
    await new RedisConsoleLocks(redis, LEASE).withLock(key, request('a'), async () => undefined);
    await redis.ping();
    const left = await redis.keys(`{copilot}:console:${key}*`);
    for (const name of left) expect(await redis.pttl(name)).toBeGreaterThan(0);
    expect(left).not.toContain(`{copilot}:console:${key}`);
  });
});
