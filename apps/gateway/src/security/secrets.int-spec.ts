import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { createLogger } from '@copilot/observability';
import type { RedisClient } from '@copilot/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, openStream } from '../../../../test/e2e/support/sse-client';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

/** Texts that a user entrusts to the service, and that must not be found anywhere. */
const SECRETS = {
  apiKey: `sk-${randomUUID()}`,
  extra: `extra-${randomUUID()}`,
  bearer: `bearer-${randomUUID()}`,
  admin: `admin-${randomUUID()}`,
};
const USER_ID = randomUUID();
const bearer = (token = SECRETS.bearer) => ({ authorization: `Bearer ${token}` });

const logged: string[] = [];
let gateway: TestGateway;
let events = '';

beforeAll(async () => {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(chunk.toString());
      done();
    },
  });
  gateway = await TestGateway.start({
    settings: { AUTH_MODE: 'gns3' },
    logger: createLogger('gateway', 'trace', sink),
  });
  gateway.gns3.users.set(SECRETS.bearer, { user_id: USER_ID, username: 'u' });
  gateway.gns3.users.set(SECRETS.admin, { user_id: randomUUID(), username: 'a', is_superadmin: true });
  await useEverything();
});

afterAll(() => gateway.stop());

/** A run that has ended, one that has not, and requests that go wrong. */
async function useEverything(): Promise<void> {
  const configs = `/v3/users/${USER_ID}/llm-model-configs`;
  const config = {
    name: 'm',
    model_type: 'text',
    provider: 'openai',
    base_url: '',
    model: 'm',
    context_limit: 8,
    api_key: SECRETS.apiKey,
    headers: { Authorization: SECRETS.extra },
  };
  await request('POST', configs, config);
  await request('POST', configs, { ...config, context_limit: 'bad' });
  await request('POST', configs, { ...config, base_url: `http://user:${SECRETS.extra}@10.0.0.1/` });
  await request('GET', configs);
  await request('GET', `${configs}?token=${SECRETS.bearer}`);
  await request('POST', `/v3/projects/${randomUUID()}/chat/stream?token=${SECRETS.bearer}`, {
    message: 'hi',
  });
  for (const ends of [true, false]) {
    const chat = jsonRequest('POST', { message: 'hello' });
    const stream = await openStream(gateway.chatUrl('/stream'), {
      ...chat,
      headers: { ...chat.headers, ...bearer() },
    });
    const { value: first } = await stream.frames.next();
    const agent = await gateway.play(String(first?.data.run_id));
    await agent.say({ type: 'content', content: 'hello' });
    if (!ends) continue;
    await agent.finish();
    events += JSON.stringify([first, ...(await collect(stream.frames))]);
  }
}

async function request(method: string, path: string, body?: unknown): Promise<void> {
  const init = body === undefined ? { method, headers: {} } : jsonRequest(method, body);
  const response = await fetch(gateway.url + path, { ...init, headers: { ...init.headers, ...bearer() } });
  events += `${JSON.stringify([...response.headers])} ${await response.text()}`;
}

function expectNoSecretIn(text: string): void {
  // Something was looked at.
  expect(text.length).toBeGreaterThan(100);
  for (const [name, secret] of Object.entries(SECRETS))
    expect([name, text.includes(secret)]).toEqual([name, false]);
}

describe('what users entrust to the service is not found', () => {
  it('in any column of Postgres', async () => {
    const { pool } = gateway.connection;
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
       WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(6);
    const texts = await Promise.all(
      tables.map(async ({ name }) => {
        const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
        return rows.map(({ row }) => row).join('\n');
      }),
    );
    expectNoSecretIn(texts.join('\n'));
    const { rows } = await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM run_tokens');
    // Of the run that has not ended; the other one's is gone.
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('under any key of Redis', async () => {
    expectNoSecretIn(await everythingIn(gateway.redis));
  });

  it('in any line of the log', () => {
    expectNoSecretIn(logged.join(''));
  });

  it('in any event, answer or error', () => {
    expectNoSecretIn(events);
  });

  it.each(['/admin/queues', '/admin/queues/api/queues?activeQueue=runs&status=latest&page=1', '/docs-json'])(
    'on %s',
    async (path) => {
      const response = await fetch(gateway.url + path, { headers: bearer(SECRETS.admin) });
      expect(response.status).toBe(200);
      expectNoSecretIn(await response.text());
    },
  );
});

/** Keys and values of the whole database as texts, whatever their kind. */
async function everythingIn(redis: RedisClient): Promise<string> {
  const keys = await redis.keys('*');
  const dumps = await Promise.all(keys.map(async (key) => JSON.stringify([key, await valueOf(redis, key)])));
  return dumps.join('\n');
}

async function valueOf(redis: RedisClient, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    // Gone meanwhile.
    case 'none':
      return undefined;
    default:
      throw new Error(`a kind of value that is not looked into: ${key}`);
  }
}
