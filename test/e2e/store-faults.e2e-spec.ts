import { connect } from '@copilot/persistence';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FaultyLink } from '../support/faulty-link';
import { PrivatePostgres } from '../support/private-postgres';
import { PrivateRedis } from '../support/private-redis';
import { Child } from './support/child';
import { collect, ofType, textOf } from './support/sse-client';
import { post, Stack } from './support/stack';

let redis: PrivateRedis;
let postgres: PrivatePostgres;
let link: FaultyLink;
let stack: Stack;
/** Begun first, since it waits for half a minute before it gives up. */
let storeless: Child;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([PrivateRedis.start(), PrivatePostgres.start()]);
  stack = await Stack.start({
    redisUrl: redis.url,
    postgresUrl: postgres.url,
    databaseVia: async (url) => {
      link = await FaultyLink.to(url);
      return link.url;
    },
  });
  storeless = new Child('agent-worker', 'dist/apps/agent-worker/main.js', {
    REDIS_URL: 'redis://127.0.0.1:9',
    DATABASE_URL: stack.databaseUrl,
    GNS3_URL: stack.lab.gns3Url,
    SECRET_KEY: 'a secret key of the test',
  });
});

afterAll(async () => {
  try {
    await stack.stop();
  } finally {
    await link.close();
    await Promise.all([redis.remove(), postgres.remove()]);
  }
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function runCount(): Promise<number> {
  const { pool } = connect(stack.databaseUrl, () => undefined, 1);
  const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM runs');
  await pool.end();
  return Number(rows[0]?.count);
}

async function readiness(): Promise<{ status: number; text: string }> {
  const response = await fetch(stack.url('/health/ready'));
  return { status: response.status, text: await response.text() };
}

/** Polls readiness, which is what a load balancer does, until it has the wanted status. */
async function untilReadiness(status: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  while ((await readiness()).status !== status) {
    if (Date.now() > deadline) throw new Error(`readiness did not become ${status}`);
    await pause(100);
  }
}

const chat = async (message: string) => collect((await stack.chat(message)).frames);

describe('while Redis is away', () => {
  it('D8: a message gets 503 within 5 s and is not executed later', async () => {
    stack.model.play(() => ({ text: 'ok' }));
    expect(textOf(await chat('warm up'))).toBe('ok');
    stack.model.play(() => ({ text: 'must not run' }));
    const before = await runCount();
    await redis.down();
    const asked = Date.now();
    const response = await fetch(stack.chatUrl('/stream'), post({ message: 'lost?' }));
    expect(Date.now() - asked).toBeLessThan(5_000);
    expect(response.status).toBe(503);
    expect(((await response.json()) as { message: string }).message).toMatch(/again/i);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await readiness()).status).toBe(503);
    expect(await runCount()).toBe(before);

    await redis.up();
    await untilReadiness(200);
    expect(await runCount()).toBe(before);
    expect(stack.model.requests).toEqual([]);
  });

  it('D7: the workers take work again by themselves within 15 s of its return', async () => {
    stack.model.play(() => ({ text: 'back' }));
    await redis.down();
    await pause(5_000);
    await redis.up();
    await untilReadiness(200);
    const asked = Date.now();
    expect(textOf(await chat('are you there?'))).toBe('back');
    expect(Date.now() - asked).toBeLessThan(15_000);
  });

  it('a run in the middle of its text goes on, and its viewer can resume', async () => {
    const words = Array.from({ length: 30 }, (_, n) => `${n} `);
    stack.model.play(() => ({ text: words, pieceDelayMs: 100 }));
    const { frames } = await stack.chat('count');
    const first = await frames.next();
    const runId = String(first.value?.data.run_id);
    await redis.down();
    await pause(1_000);
    await redis.up();
    await untilReadiness(200);
    const events = await stack.resume(runId, undefined);
    const repeated = events.findLastIndex(({ data }) => data.type === 'attempt');
    expect(textOf(events.slice(repeated + 1))).toBe(words.join(''));
    expect(ofType(events, 'done')).toHaveLength(1);
  });
});

describe('a restart of Postgres', () => {
  it('is survived by every process, and a run in the middle of its text goes on', async () => {
    const pids = stack.pids();
    stack.model.play(() => ({ text: ['a ', 'b ', 'c'], pieceDelayMs: 700 }));
    const { frames } = await stack.chat('letters');
    await frames.next();
    await postgres.restart();
    const rest = await collect(frames);
    expect(ofType(rest, 'done')[0]).toMatchObject({ stop_reason: 'completed' });
    const repeated = rest.findLastIndex(({ data }) => data.type === 'attempt');
    expect(textOf(rest.slice(repeated + 1))).toBe('a b c');
    await untilReadiness(200);
    stack.model.play(() => ({ text: 'still here' }));
    expect(textOf(await chat('and now?'))).toBe('still here');
    expect(stack.pids()).toEqual(pids);
  });
});

describe('while Postgres is away', () => {
  it('a run in the middle of its text goes on by itself when it is back', async () => {
    stack.model.play(() => ({ text: ['a ', 'b ', 'c'], pieceDelayMs: 700 }));
    const { frames } = await stack.chat('letters');
    await frames.next();
    link.cut();
    await pause(3_000);
    link.mend();
    const rest = await collect(frames);
    expect(ofType(rest, 'done')[0]).toMatchObject({ stop_reason: 'completed' });
    const repeated = rest.findLastIndex(({ data }) => data.type === 'attempt');
    expect(textOf(rest.slice(repeated + 1))).toBe('a b c');
  });

  it('a message gets 503 within 5 s, and readiness says which store it is', async () => {
    link.cut();
    const asked = Date.now();
    const response = await fetch(stack.chatUrl('/stream'), post({ message: 'lost?' }));
    expect(response.status).toBe(503);
    expect(Date.now() - asked).toBeLessThan(5_000);
    const ready = await readiness();
    expect(ready.status).toBe(503);
    expect(ready.text).toMatch(/postgres/i);
    link.mend();
    await untilReadiness(200);
  });
});

describe('D9: a Redis that evicts', () => {
  it('is shown by readiness, with the remedy', async () => {
    await stack.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const ready = await readiness();
    expect(ready.status).toBe(503);
    expect(ready.text).toContain('noeviction');
    await stack.redis.config('SET', 'maxmemory-policy', 'noeviction');
    await untilReadiness(200);
  });

  it.each(['gateway', 'agent-worker', 'tool-worker'])('is refused at start by the %s', async (app) => {
    const evicting = await PrivateRedis.start('--maxmemory-policy', 'allkeys-lru');
    const child = new Child(app, `dist/apps/${app}/main.js`, {
      REDIS_URL: evicting.url,
      DATABASE_URL: stack.databaseUrl,
      GNS3_URL: stack.lab.gns3Url,
      SECRET_KEY: 'a secret key of the test',
      PORT: '0',
    });
    await child.line('maxmemory-policy noeviction');
    expect(await child.exitCode()).toBe(1);
    await evicting.remove();
  });
});

describe('a store that never comes', () => {
  it('a process says what it waits for, then gives up with a clear message', async () => {
    await storeless.line('waiting for Redis');
    await storeless.line('cannot start: Redis (REDIS_URL) was not usable within 30 s', 50_000);
    expect(await storeless.exitCode()).toBe(1);
  });
});
