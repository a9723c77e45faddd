import { randomUUID } from 'node:crypto';
import { QUEUES, REAP_EVERY_MS } from '@copilot/contracts';
import { connectPatient, type RedisClient } from '@copilot/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue } from 'bullmq';
import { UpkeepSchedule } from './upkeep-schedule';

const prefix = `{test-${randomUUID()}}`;
let redis: RedisClient;
let queues: Queue[];
let schedules: UpkeepSchedule[];

beforeAll(() => {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('REDIS_URL is not set');
  redis = connectPatient(url, () => undefined);
  queues = [1, 2, 3].map(() => new Queue(QUEUES.upkeep, { connection: { url }, prefix }));
  schedules = queues.map((queue) => new UpkeepSchedule(queue, () => undefined));
});

afterAll(async () => {
  await wipe();
  await Promise.all(queues.map((queue) => queue.close()));
  redis.disconnect();
});

async function wipe(): Promise<void> {
  const keys = await redis.keys(`${prefix}:*`);
  if (keys.length > 0) await redis.del(...keys);
}

function first(): Queue {
  const [queue] = queues;
  if (!queue) throw new Error('there are three');
  return queue;
}

const ensureByAll = () => Promise.all(schedules.map((schedule) => schedule.ensure()));

describe('the schedule of the upkeep', () => {
  it('is one, with one job at a time, however many processes see to it', async () => {
    await wipe();
    await ensureByAll();
    await ensureByAll();
    expect(await first().getJobSchedulers()).toMatchObject([{ every: REAP_EVERY_MS }]);
    expect(await first().getJobCountByTypes('waiting', 'delayed', 'active')).toBe(1);
    expect(await first().getGlobalConcurrency()).toBe(1);
  });

  it('is made again after it was lost', async () => {
    await wipe();
    expect(await first().getJobSchedulers()).toEqual([]);
    await ensureByAll();
    expect(await first().getJobSchedulers()).toHaveLength(1);
    expect(await first().getJobCountByTypes('waiting', 'delayed', 'active')).toBe(1);
  });
});
