import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunQueue } from '@copilot/queues';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { collect, openStream, textOf, type OpenStream } from '../../../../test/e2e/support/sse-client';
import { DONE, text } from '../testing/played-agent';
import { rawRequest } from '../testing/raw-client';
import { jsonRequest, TestGateway } from '../testing/test-gateway';
import { until } from '../testing/until';

const TIMES = { heartbeatMs: 50, stallMs: 1_500 };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start({ sseTimes: TIMES });
  await gateway.configureModel();
});

afterAll(() => gateway.stop());

interface Chat extends OpenStream {
  readonly runId: string;
  readonly firstId: string | undefined;
}

async function openChat(headers: Record<string, string> = {}): Promise<Chat> {
  const request = jsonRequest('POST', { message: 'hello' });
  const stream = await openStream(gateway.chatUrl('/stream'), {
    ...request,
    headers: { ...request.headers, ...headers },
  });
  const { value: first } = await stream.frames.next();
  return { ...stream, runId: String(first?.data.run_id), firstId: first?.id };
}

const eventsUrl = (runId: string) => gateway.chatUrl(`/runs/${runId}/events`);

/** How many listen to the wakes of these runs: channels, unlike keys, are shared by all databases of a Redis. */
async function subscribers(runIds: string[]): Promise<number> {
  const channels = runIds.map((runId) => `{run:${runId}}:wake`);
  const counts = await gateway.redis.call('PUBSUB', 'SHARDNUMSUB', ...channels);
  return (counts as unknown[])
    .filter((_, index) => index % 2 === 1)
    .reduce((sum: number, n) => sum + Number(n), 0);
}

describe('a stream', () => {
  it('E2: ends in order when the run fails after its first words', async () => {
    const chat = await openChat();
    const agent = await gateway.play(chat.runId);
    await agent.say(text('a'), text('b'), text('c'));
    await agent.say({ type: 'error', error: 'The model left.', code: 'model_interrupted' });
    await agent.finish({ status: 'failed', stopReason: 'error' });
    const shown = await collect(chat.frames);
    expect(shown.map(({ data }) => data.type)).toEqual(['content', 'content', 'content', 'error', 'done']);
  });

  it('E2: is cut, and nothing else with it, when its log cannot be read', async () => {
    const chat = await openChat();
    await gateway.redis.xadd(`{run:${chat.runId}}:events`, '*', 'e', '{"type":"nonsense"}');
    await gateway.redis.spublish(`{run:${chat.runId}}:wake`, 'now');
    await collect(chat.frames).catch(() => undefined);
    expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(200);
  });

  it('E3: leaves no subscription behind when its client goes during set-up', async () => {
    const enqueue = jest.spyOn(gateway.app.get(RunQueue), 'enqueue');
    const accepted = () => enqueue.mock.calls.map(([{ runId }]) => String(runId));
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = await rawRequest(gateway.chatUrl('/stream'), {
          method: 'POST',
          body: { message: 'hi' },
        });
        await sleep(20);
        socket.destroy();
      }),
    );
    await until(async () => accepted().length === 50 && (await subscribers(accepted())) === 0);
    expect([gateway.wakes.size, gateway.openStreams.size]).toEqual([0, 0]);

    const runId = String(accepted().at(-1));
    const agent = await gateway.play(runId);
    await agent.say(text('went on'), DONE);
    expect(textOf(await collect((await openStream(eventsUrl(runId))).frames))).toBe('went on');
  });

  it('E9: shows each event before the next is said, also to clients that accept gzip', async () => {
    const chat = await openChat({ 'accept-encoding': 'gzip' });
    expect(chat.response.headers.get('content-encoding')).toBeNull();
    const agent = await gateway.play(chat.runId);
    const delaysMs: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      const saidAt = performance.now();
      await agent.say(text(`${n}`));
      expect((await chat.frames.next()).value?.data.content).toBe(`${n}`);
      delaysMs.push(performance.now() - saidAt);
    }
    chat.close();
    expect(delaysMs.sort((a, b) => a - b)[4]).toBeLessThan(200);
  });

  it('E10: has a comment at once and more while a tool is silent, none of them an event', async () => {
    const chat = await openChat();
    const socket = await rawRequest(eventsUrl(chat.runId));
    let received = '';
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
    await until(() => received.split(': keep-alive\n\n').length > 3);
    socket.destroy();
    chat.close();
    const body = received.slice(received.indexOf('\r\n\r\n') + 4);
    expect(body).toMatch(/^[0-9a-f]+\r\n: open\n\n/);
    expect(body.match(/^(id|data|event): .*/gm)).toEqual([
      `id: ${chat.firstId}`,
      expect.stringContaining('"type":"run"'),
    ]);
  });

  it('E11: is closed after `done`, so that finished streams do not use up the connections of a browser', async () => {
    const finished = await Promise.all(
      Array.from({ length: 7 }, async () => {
        const chat = await openChat();
        chat.close();
        const agent = await gateway.play(chat.runId);
        await agent.say(DONE);
        return chat.runId;
      }),
    );
    const running = await openChat();
    const browser = new Agent({ keepAlive: true, maxSockets: 6 });
    const open = async (runId: string) => {
      const [response] = (await once(get(eventsUrl(runId), { agent: browser }), 'response')) as [
        IncomingMessage,
      ];
      return response;
    };
    const live = await open(running.runId);
    const ends = await Promise.all(
      finished.map(async (runId) => {
        const response = await open(runId);
        await once(response.resume(), 'end');
        return response.complete;
      }),
    );
    expect(ends).toEqual(Array.from({ length: 7 }, () => true));
    expect(live.destroyed).toBe(false);
    live.destroy();
    browser.destroy();
    running.close();
  });

  it('E12: does not hold a shutdown up, and is continued at another gateway', async () => {
    const leaving = await TestGateway.start({ beside: gateway, sseTimes: TIMES });
    const chat = await openChat();
    const url = leaving.chatUrl(`/runs/${chat.runId}/events`, gateway.projectId);
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(url)));
    const firsts = await Promise.all(streams.map(({ frames }) => frames.next()));
    const began = performance.now();
    await leaving.stop();
    expect(performance.now() - began).toBeLessThan(5_000);
    for (const { frames } of streams) expect(await collect(frames)).toEqual([]);

    const agent = await gateway.play(chat.runId);
    await agent.say(text('more'), DONE);
    const headers = { 'last-event-id': String(firsts[0]?.value?.id) };
    const rest = await collect((await openStream(eventsUrl(chat.runId), { headers })).frames);
    expect(rest.map(({ data }) => data.type)).toEqual(['content', 'done']);
    chat.close();
  });

  it('E12: of a message that is just being accepted has its first event before a shutdown ends it', async () => {
    const leaving = await TestGateway.start({ beside: gateway, sseTimes: TIMES });
    const queue = leaving.app.get(RunQueue);
    const enqueue = queue.enqueue.bind(queue);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const reached = new Promise<void>((resolve) => {
      jest.spyOn(queue, 'enqueue').mockImplementation(async (...args) => {
        resolve();
        await held;
        return enqueue(...args);
      });
    });
    const url = leaving.chatUrl('/stream');
    const asked = openStream(url, jsonRequest('POST', { message: 'hello' }));
    await reached;
    const stopped = leaving.stop();
    const late = await fetch(url, jsonRequest('POST', { message: 'too late' }));
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
    goOn();
    const frames = await collect((await asked).frames);
    expect(frames.map(({ data }) => data.type)).toEqual(['run']);
    expect(frames[0]?.id).toBeDefined();
    await stopped;
  });

  it('E13: is cut when its client never reads, holds little until then, and slows nobody', async () => {
    const chat = await openChat();
    chat.close();
    const agent = await gateway.play(chat.runId);
    const megabyte = Array.from({ length: 16 }, () => text('x'.repeat(65_536)));
    for (let n = 0; n < 50; n += 1) await agent.say(...megabyte);
    await agent.say(DONE);
    await until(() => gateway.openStreams.size === 0);

    const slow = await serverSideOf(rawRequest(eventsUrl(chat.runId)));
    await until(() => slow.writableNeedDrain);
    let mostBuffered = 0;
    const watch = setInterval(() => (mostBuffered = Math.max(mostBuffered, slow.writableLength)), 5);
    const others = await collect((await openStream(eventsUrl(chat.runId))).frames);
    expect(textOf(others)).toHaveLength(50 * 16 * 65_536);
    if (!slow.destroyed) await once(slow, 'close');
    clearInterval(watch);
    expect(mostBuffered).toBeLessThan(1_000_000);
    expect(gateway.openStreams.size).toBe(0);
  });
});

/** The gateway's end of a client's connection. */
async function serverSideOf(client: Promise<Socket>): Promise<Socket> {
  const server: unknown = gateway.app.getHttpServer();
  if (!(server instanceof Server)) throw new Error('the gateway serves by a net.Server');
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  await client;
  return accepted;
}
