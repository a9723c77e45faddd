import { QUEUES } from '@copilot/contracts';
import type { RedisClient } from '@copilot/redis';
import type { Leftovers } from './evidence';

const LISTS = ['wait', 'active', 'paused'] as const;
const SORTED_SETS = ['delayed', 'prioritized', 'waiting-children'] as const;

export type RedisLeft = Pick<Leftovers, 'jobs' | 'keysWithoutExpiry' | 'subscriptions' | 'extraConnections'>;

/** What Redis had when every process was ready and nothing had been asked of it. */
export interface RedisBaseline {
  readonly channels: readonly string[];
  readonly connections: number;
}

export async function redisBaseline(redis: RedisClient): Promise<RedisBaseline> {
  return { channels: await channelsOf(redis), connections: await connectionsOf(redis) };
}

export async function redisLeft(redis: RedisClient, baseline: RedisBaseline): Promise<RedisLeft> {
  const channels = await channelsOf(redis);
  return {
    jobs: [...(await jobsInMotion(redis)), ...(await strayJobs(redis))],
    keysWithoutExpiry: await keysWithoutExpiry(redis),
    subscriptions: channels.filter((channel) => !baseline.channels.includes(channel)),
    extraConnections: Math.max(0, (await connectionsOf(redis)) - baseline.connections),
  };
}

/** The upkeep's own schedule is always one job ahead. */
async function jobsInMotion(redis: RedisClient): Promise<string[]> {
  const found: string[] = [];
  for (const queue of [QUEUES.runs, QUEUES.toolCalls]) {
    const key = (state: string) => `{copilot}:${queue}:${state}`;
    for (const state of LISTS) {
      const count = await redis.llen(key(state));
      if (count > 0) found.push(`${queue} ${state}: ${count}`);
    }
    for (const state of SORTED_SETS) {
      const count = await redis.zcard(key(state));
      if (count > 0) found.push(`${queue} ${state}: ${count}`);
    }
  }
  return found;
}

/** Jobs that are in none of their queue's lists, and so would stay for ever, with all that belongs to them. */
async function strayJobs(redis: RedisClient): Promise<string[]> {
  const found: string[] = [];
  for (const queue of [QUEUES.runs, QUEUES.toolCalls]) {
    const prefix = `{copilot}:${queue}:`;
    const ended = new Set([
      ...(await redis.zrange(`${prefix}completed`, '0', '-1')),
      ...(await redis.zrange(`${prefix}failed`, '0', '-1')),
    ]);
    for (const key of await redis.keys(`${prefix}*`)) {
      // Only a job's keys begin with a run's id.
      const job = /^([0-9a-f]{8}-[0-9a-f-]{27}-[^:]+)/.exec(key.slice(prefix.length))?.[1];
      if (job !== undefined && !ended.has(job)) found.push(`stray ${key}`);
    }
  }
  return found;
}

/** Everything but the queues' own keys goes by itself in the end: logs, fences, locks, counters. */
async function keysWithoutExpiry(redis: RedisClient): Promise<string[]> {
  const found: string[] = [];
  for (const key of await redis.keys('*')) {
    const ofQueue = Object.values(QUEUES).some((queue) => key.startsWith(`{copilot}:${queue}:`));
    if (!ofQueue && (await redis.ttl(key)) === -1) found.push(key);
  }
  return found;
}

/** Of both kinds: which of them the service uses depends on what the server has. */
async function channelsOf(redis: RedisClient): Promise<string[]> {
  const [plain, sharded] = [await redis.pubsub('CHANNELS', '*'), await redis.pubsub('SHARDCHANNELS', '*')];
  return [...plain, ...sharded].map(String);
}

async function connectionsOf(redis: RedisClient): Promise<number> {
  return String(await redis.client('LIST'))
    .trim()
    .split('\n').length;
}
