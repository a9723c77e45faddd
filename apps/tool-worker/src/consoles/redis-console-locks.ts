import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisClient } from '@copilot/redis';
import { z } from 'zod';
import { ConsoleLockLostError, type ConsoleLocks, type LockRequest } from './console-locks';

/** How long a console stays taken after its user's process died. Renewed well before it ends. */
const LEASE_MS = 4_000;
const RENEW_MS = 1_000;
/** A waiter that has not asked for this long is gone, and no longer stands in anybody's way. */
const WAITER_MS = 3_000;
const POLL_MIN_MS = 100;
const POLL_MAX_MS = 250;

export interface LockTimings {
  leaseMs: number;
  renewMs: number;
  waiterMs: number;
}

/**
 * Joins the line if need be, drops waiters that stopped asking, and takes the console for the first in line.
 * Answers -1 when it was taken, else how many come first. KEYS: holder, line, last asked, ticket counter.
 * ARGV: token, lease ms, waiter ms.
 */
const ACQUIRE = `
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local token, lease, patience = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if redis.call('GET', KEYS[1]) == token then return -1 end
if not redis.call('ZSCORE', KEYS[2], token) then
  redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[4]), token)
end
redis.call('HSET', KEYS[3], token, now)
for _, waiter in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local asked = tonumber(redis.call('HGET', KEYS[3], waiter) or '0')
  if now - asked > patience then
    redis.call('ZREM', KEYS[2], waiter)
    redis.call('HDEL', KEYS[3], waiter)
  end
end
for i = 2, 4 do redis.call('PEXPIRE', KEYS[i], 10 * patience) end
local rank = redis.call('ZRANK', KEYS[2], token)
if redis.call('EXISTS', KEYS[1]) == 1 then return rank + 1 end
if rank > 0 then return rank end
redis.call('SET', KEYS[1], token, 'PX', lease)
redis.call('ZREM', KEYS[2], token)
redis.call('HDEL', KEYS[3], token)
return -1
`;

const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`;

/** Gives the console back, or the place in the line. */
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
return 1
`;

const integer = z.number().int();

/**
 * Console locks in Redis: first come, first served, held by a lease. A process that dies gives its console
 * back when the lease ends; one that stood still past its lease is told so before it types again.
 */
export class RedisConsoleLocks implements ConsoleLocks {
  readonly #timings: LockTimings;

  constructor(
    private readonly redis: RedisClient,
    timings: Partial<LockTimings> = {},
  ) {
    this.#timings = { leaseMs: LEASE_MS, renewMs: RENEW_MS, waiterMs: WAITER_MS, ...timings };
  }

  async withLock<T>(
    consoleKey: string,
    request: LockRequest,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const keys = keysOf(consoleKey);
    const token = `${request.owner}#${randomUUID()}`;
    try {
      const leaseEndMs = await this.acquire(keys, token, request);
      return await this.hold(keys, token, leaseEndMs, request.signal, work);
    } finally {
      // Not waited for: with Redis away it takes as long as that lasts, and the lease ends by itself.
      void this.redis.eval(RELEASE, keys.length, ...keys, token).catch(() => undefined);
    }
  }

  /** Resolves when the console is taken, with the time at which the lease ends unless it is renewed. */
  private async acquire(keys: string[], token: string, { signal, onWaiting }: LockRequest): Promise<number> {
    const { leaseMs, waiterMs } = this.#timings;
    let told: number | undefined;
    for (;;) {
      signal.throwIfAborted();
      const askedMs = performance.now();
      const answer = this.redis.eval(ACQUIRE, keys.length, ...keys, token, leaseMs, waiterMs);
      const ahead = integer.parse(await unlessAborted(answer, signal));
      if (ahead < 0) return askedMs + leaseMs;
      if (ahead !== told) onWaiting(ahead);
      told = ahead;
      await delay(POLL_MIN_MS + Math.random() * (POLL_MAX_MS - POLL_MIN_MS), undefined, { signal });
    }
  }

  private async hold<T>(
    keys: string[],
    token: string,
    leaseEndMs: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const lost = new AbortController();
    const renewal = new LeaseRenewal(this.#timings, leaseEndMs, {
      renew: async () =>
        integer.parse(await this.redis.eval(RENEW, 1, keys[0] ?? '', token, this.#timings.leaseMs)) === 1,
      onLost: () => lost.abort(new ConsoleLockLostError()),
    });
    try {
      return await work(AbortSignal.any([signal, lost.signal]));
    } finally {
      renewal.stop();
    }
  }
}

/** Renews a lease until stopped; tells once when it is lost, at the latest when it would have ended. */
class LeaseRenewal {
  #timer: NodeJS.Timeout;
  #expiry: NodeJS.Timeout;
  #stopped = false;

  constructor(
    private readonly timings: LockTimings,
    leaseEndMs: number,
    private readonly on: { renew: () => Promise<boolean>; onLost: () => void },
  ) {
    this.#expiry = this.expireAt(leaseEndMs);
    this.#timer = setTimeout(() => void this.renew(), timings.renewMs);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#expiry);
  }

  private expireAt(leaseEndMs: number): NodeJS.Timeout {
    return setTimeout(() => this.lose(), Math.max(0, leaseEndMs - performance.now()));
  }

  private lose(): void {
    if (this.#stopped) return;
    this.stop();
    this.on.onLost();
  }

  private async renew(): Promise<void> {
    const askedMs = performance.now();
    // Redis away is not the lease lost: it is tried again until the lease would have ended.
    const renewed = await this.on.renew().catch(() => undefined);
    if (this.#stopped) return;
    if (renewed === false) return this.lose();
    if (renewed === true) {
      clearTimeout(this.#expiry);
      this.#expiry = this.expireAt(askedMs + this.timings.leaseMs);
    }
    this.#timer = setTimeout(() => void this.renew(), this.timings.renewMs);
  }
}

/** A client that waits for Redis to come back would otherwise hold a call that has been given up. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new AbortController();
  try {
    return await Promise.race([promise, rejectOn(signal, aborted.signal)]);
  } finally {
    aborted.abort();
    promise.catch(() => undefined);
  }
}

function rejectOn(signal: AbortSignal, done: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: done });
  });
}

function keysOf(consoleKey: string): string[] {
  const base = `{copilot}:console:${consoleKey}`;
  return [base, `${base}:line`, `${base}:asked`, `${base}:ticket`];
}
