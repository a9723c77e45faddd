import type { RedisClient } from './redis-client';

/**
 * Counts in windows that begin with the first request, so a key that nobody uses any more is gone by itself.
 * KEYS: counter. ARGV: window in milliseconds. Returns the count and the milliseconds until the window's end.
 */
const COUNT_SCRIPT = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}
`;

export interface RateRule {
  /** Names the counter; rules of the same name share it. */
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
}

export type RateVerdict =
  { readonly allowed: true } | { readonly allowed: false; readonly retryAfterMs: number };

/** Limits how often something may happen, over all processes that share the Redis. */
export class RateLimiter {
  constructor(private readonly redis: RedisClient) {}

  /** Counts one more for `who`. */
  async hit({ name, max, windowMs }: RateRule, who: string): Promise<RateVerdict> {
    const reply = await this.redis.eval(COUNT_SCRIPT, 1, `{copilot}:rate:${name}:${who}`, windowMs);
    const [count, left] = Array.isArray(reply) ? reply.map(Number) : [];
    if (count === undefined || left === undefined) throw new Error('the script returns two numbers');
    return count <= max ? { allowed: true } : { allowed: false, retryAfterMs: left };
  }
}
