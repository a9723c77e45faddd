import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectPatient, type RedisClient } from './redis-client';
import { RateLimiter } from './rate-limiter';

let redis: RedisClient;
let other: RedisClient;

beforeAll(() => {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('REDIS_URL is not set');
  redis = connectPatient(url, () => undefined);
  other = connectPatient(url, () => undefined);
});

afterAll(() => {
  redis.disconnect();
  other.disconnect();
});

const rule = { name: 'test', max: 3, windowMs: 60_000 };

describe('RateLimiter', () => {
  it('allows so many in a window, over all processes, and says when the next one is allowed', async () => {
    const who = randomUUID();
    const verdicts = await Promise.all(
      [redis, other, redis, other, redis].map((client) => new RateLimiter(client).hit(rule, who)),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(3);
    for (const verdict of verdicts) {
      if (verdict.allowed) continue;
      expect(verdict.retryAfterMs).toBeGreaterThan(50_000);
      expect(verdict.retryAfterMs).toBeLessThanOrEqual(60_000);
    }
  });

  it('counts everybody and every rule apart', async () => {
    const limiter = new RateLimiter(redis);
    const [one, two] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 3; n += 1) await limiter.hit(rule, one);
    await expect(limiter.hit(rule, one)).resolves.toMatchObject({ allowed: false });
    await expect(limiter.hit(rule, two)).resolves.toEqual({ allowed: true });
    await expect(limiter.hit({ ...rule, name: 'other' }, one)).resolves.toEqual({ allowed: true });
  });

  it('begins anew when the window is over, and never leaves a counter without an end', async () => {
    const who = randomUUID();
    const limiter = new RateLimiter(redis);
    await limiter.hit(rule, who);
    const key = `{copilot}:rate:test:${who}`;
    expect(await redis.pttl(key)).toBeGreaterThan(0);
    await redis.persist(key);
    await limiter.hit(rule, who);
    expect(await redis.pttl(key)).toBeGreaterThan(0);
    await redis.del(key);
    await expect(limiter.hit({ ...rule, max: 1 }, who)).resolves.toEqual({ allowed: true });
  });
});
