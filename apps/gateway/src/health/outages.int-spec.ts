import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, openStream, textOf } from '../../../../test/e2e/support/sse-client';
import { FaultyLink } from '../../../../test/support/faulty-link';
import { PrivateRedis } from '../../../../test/support/private-redis';
import { DONE, text } from '../testing/played-agent';
import { jsonRequest, TestGateway } from '../testing/test-gateway';
import { until } from '../testing/until';

let redis: PrivateRedis;
let postgres: FaultyLink;
let gateway: TestGateway;

beforeAll(async () => {
  redis = await PrivateRedis.start();
  gateway = await TestGateway.start({
    redisUrl: redis.url,
    databaseVia: async (url) => {
      postgres = await FaultyLink.to(url);
      return postgres.url;
    },
  });
  await gateway.configureModel();
});

afterAll(async () => {
  await gateway.stop();
  await postgres.close();
  await redis.remove();
});

async function timed(url: string, init?: RequestInit) {
  const began = performance.now();
  const response = await fetch(url, init);
  const body: unknown = await response.json();
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body,
    seconds: (performance.now() - began) / 1_000,
  };
}

const post = (body: object = {}) =>
  timed(gateway.chatUrl('/stream'), jsonRequest('POST', { message: 'hello', ...body }));
const ready = () => timed(`${gateway.url}/health/ready`);

async function openChat(body: object = {}) {
  const request = jsonRequest('POST', { message: 'hello', ...body });
  const stream = await openStream(gateway.chatUrl('/stream'), request);
  const { value } = await stream.frames.next();
  return { ...stream, first: value, runId: String(value?.data.run_id) };
}

describe('while Redis is away', () => {
  it('D8: a message is refused within 5 s, accepted again afterwards, and leaves nothing behind', async () => {
    const session_id = 'refused at first';
    await redis.down();
    const refused = await post({ session_id });
    expect(refused).toMatchObject({
      status: 503,
      retryAfter: '5',
      body: {
        message:
          'The queue (Redis) cannot be reached at the moment. The message was not accepted. Try again in a few seconds.',
      },
    });
    expect(refused.seconds).toBeLessThan(5);
    await expect(ready()).resolves.toMatchObject({
      status: 503,
      body: { message: 'Not ready: redis, queues', checks: { postgres: { status: 'up' } } },
    });
    await redis.up();
    await until(async () => (await ready()).status === 200);
    const chat = await openChat({ session_id });
    chat.close();
    expect(chat.first?.data.queue_position).toBe(0);
  });

  it('D8: a message is refused within 5 s also when Redis hangs', async () => {
    await gateway.redis.call('CLIENT', 'PAUSE', '60000', 'ALL');
    const refused = await post();
    // A command on a paused connection is not answered, the end of the pause neither: only a restart helps.
    await redis.down();
    await redis.up();
    expect(refused.status).toBe(503);
    expect(refused.seconds).toBeLessThan(5);
    await until(async () => (await ready()).status === 200);
  });

  it('open streams wait for it and go on, with nothing lost', async () => {
    const chat = await openChat();
    const agent = await gateway.play(chat.runId);
    await agent.say(text('before '));
    expect((await chat.frames.next()).value?.data.content).toBe('before ');
    await redis.down();
    await redis.up();
    await until(async () => (await ready()).status === 200);
    await agent.say(text('after'), DONE);
    expect(textOf(await collect(chat.frames))).toBe('after');
  });

  it('is told apart from a Redis that evicts', async () => {
    await gateway.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await expect(ready()).resolves.toMatchObject({
      status: 503,
      body: {
        message: 'Not ready: redis',
        checks: { redis: { reason: expect.stringContaining('CONFIG SET maxmemory-policy noeviction') } },
      },
    });
    await gateway.redis.config('SET', 'maxmemory-policy', 'noeviction');
    await expect(ready()).resolves.toMatchObject({ status: 200 });
  });
});

describe('while Postgres is away', () => {
  it('a request is refused with 503, without any detail, and served again afterwards', async () => {
    const chat = await openChat();
    chat.close();
    const { runId } = chat;
    postgres.cut();
    const refused = [
      await post(),
      await timed(gateway.chatUrl(`/runs/${runId}`)),
      await timed(gateway.configsUrl),
    ];
    for (const { status, retryAfter, body, seconds } of refused) {
      expect({ status, retryAfter, body }).toEqual({
        status: 503,
        retryAfter: '5',
        body: {
          message: 'The database (Postgres) cannot be reached at the moment. Try again in a few seconds.',
        },
      });
      expect(seconds).toBeLessThan(5);
    }
    await expect(ready()).resolves.toMatchObject({ status: 503, body: { message: 'Not ready: postgres' } });
    postgres.mend();
    await expect(timed(gateway.chatUrl(`/runs/${runId}`))).resolves.toMatchObject({ status: 200 });
  });
});
