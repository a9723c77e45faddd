import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { LOCAL_USER_ID } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'undici';
import { collect, ofType, openStream, textOf } from '../e2e/support/sse-client';
import { post, Stack } from '../e2e/support/stack';
import { Nginx } from './support/nginx';
import { SeenByGns3 } from './support/seen-by-gns3';

/** Less than the silence of the model below, more than the 15 s between two heartbeats. */
const SILENCE_SECONDS = 17;
const MODEL_SILENCE_MS = 20_000;
const MEGABYTE = 1024 * 1024;

let stack: Stack;
let gns3: SeenByGns3;
let nginx: Nginx;

beforeAll(async () => {
  [stack, gns3] = await Promise.all([Stack.start(), SeenByGns3.start()]);
  const gatewayPort = Number(new URL(stack.url('/')).port);
  nginx = await Nginx.start({ gatewayPort, gns3Port: gns3.port, gatewaySilenceSeconds: SILENCE_SECONDS });
});

afterAll(async () => {
  await nginx?.stop();
  await gns3?.stop();
  await stack?.stop();
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(nginx.origin + path, { headers });
  return { status: response.status, body: await response.text() };
};
const chatUrl = (path: string) => `${nginx.origin}/v3/copilot/projects/${stack.lab.projectId}/chat${path}`;

/** With headers that fetch does not let one choose. */
async function raw(path: string, headers: Record<string, string>): Promise<number | undefined> {
  const outgoing = request(nginx.origin + path, { headers });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('behind nginx, on one origin with a GNS3 server', () => {
  it.each([
    ['/v3/copilot/projects/{p}/chat/sessions', '[]'],
    ['/v3/projects/{p}/chat/sessions', '[]'],
    [`/v3/users/${LOCAL_USER_ID}/llm-model-configs/default`, '"model":"scripted"'],
    [`/v3/access/users/${LOCAL_USER_ID}/llm-model-configs/own`, '"model":"scripted"'],
    [`/v3/access/groups/${LOCAL_USER_ID}/llm-model-configs`, 'privilege Group.Audit is required', 403],
    [`/v3/groups/${LOCAL_USER_ID}/llm-model-configs`, 'privilege Group.Audit is required', 403],
    ['/copilot/docs', 'GNS3 Copilot API'],
    ['/copilot/docs/swagger-ui-init.js', 'llm-model-configs'],
    ['/copilot/docs-json', '"title":"GNS3 Copilot service"'],
    ['/admin/queues', 'GNS3 Copilot'],
  ])('%s is ours', async (path, expected, status = 200) => {
    const answer = await get(path.replace('{p}', stack.lab.projectId));
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(expected);
  });

  it.each([
    '/',
    '/static/web-ui/bundled',
    '/docs',
    '/v3/version',
    '/v3/projects/{p}',
    '/v3/projects/{p}/nodes?token=abc',
    '/v3/projects/chat',
    '/v3/access/users/me',
    '/v3/access/users/me/groups',
    '/v3/access/users/x/llm-model-configs-of-another-kind',
    '/health/ready',
  ])("%s is the server's", async (path) => {
    const url = path.replace('{p}', stack.lab.projectId);
    const answer = await get(url);
    expect(JSON.parse(answer.body)).toMatchObject({ server: 'gns3', url });
  });

  it('the server learns under which address it is called', async () => {
    const { headers } = JSON.parse((await get('/v3/version')).body) as { headers: Record<string, string> };
    expect(headers).toMatchObject({
      host: `127.0.0.1:${nginx.port}`,
      'x-forwarded-host': `127.0.0.1:${nginx.port}`,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
    });
    expect(headers).not.toHaveProperty('upgrade');
  });

  it('a web socket reaches the server', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${nginx.port}/v3/notifications/ws?token=t`);
    const word = await new Promise((resolve, reject) => {
      socket.addEventListener('message', ({ data }) => resolve(data));
      socket.addEventListener('error', () => reject(new Error('no web socket')));
    });
    socket.close();
    expect(word).toBe('gns3 /v3/notifications/ws?token=t');
  });

  it('E9: frames arrive one by one, even for a client that takes gzip', async () => {
    stack.model.play([{ text: ['one ', 'two ', 'three ', 'four'], pieceDelayMs: 500 }]);
    const stream = await openStream(
      chatUrl('/stream'),
      post({ message: 'count' }, { 'accept-encoding': 'gzip' }),
    );
    expect(stream.response.headers.get('content-encoding')).toBeNull();
    expect(stream.response.headers.get('cache-control')).toContain('no-transform');
    const arrivals: { text: string; atMs: number }[] = [];
    for await (const { data } of stream.frames) {
      if (data.type === 'content') arrivals.push({ text: String(data.content), atMs: performance.now() });
    }
    expect(arrivals.map(({ text }) => text)).toEqual(['one ', 'two ', 'three ', 'four']);
    const gaps = arrivals.slice(1).map(({ atMs }, index) => atMs - (arrivals[index]?.atMs ?? 0));
    // Buffered, they would come together.
    expect(Math.min(...gaps)).toBeGreaterThan(150);
  });

  it('E10: a stream that is silent for longer than nginx waits stays open, because of its heartbeats', async () => {
    stack.model.play([{ text: 'At last.', delayMs: MODEL_SILENCE_MS }]);
    const began = performance.now();
    const frames = await collect((await openStream(chatUrl('/stream'), post({ message: 'wait' }))).frames);
    expect(performance.now() - began).toBeGreaterThan(SILENCE_SECONDS * 1_000);
    expect(textOf(frames)).toBe('At last.');
    expect(ofType(frames, 'done')).toHaveLength(1);
  });

  it('a body that the gateway would not read is refused in its words', async () => {
    const message = 'x'.repeat(MEGABYTE);
    const through = await fetch(chatUrl('/stream'), post({ message }));
    const direct = await fetch(stack.chatUrl('/stream'), post({ message }));
    expect(through.status).toBe(413);
    expect(await through.json()).toEqual(await direct.json());
  });

  it('an image of any size goes to the server', async () => {
    const body = new Uint8Array(3 * MEGABYTE);
    const response = await fetch(`${nginx.origin}/v3/images/upload/x.img`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ server: 'gns3', bytes: 3 * MEGABYTE });
  });

  it('a gateway without a login serves loopback names only, behind nginx, too', async () => {
    const path = `/v3/projects/${stack.lab.projectId}/chat/sessions`;
    expect(await raw(path, { host: 'lab.example.com' })).toBe(403);
    expect(await raw(path, { host: 'lab.example.com', 'x-forwarded-host': 'localhost' })).toBe(403);
    expect(await raw(path, { host: `localhost:${nginx.port}` })).toBe(200);
  });

  it('without the gateway, its paths say so as JSON and the server goes on', async () => {
    await stack.gateways[0]?.stop();
    const response = await fetch(chatUrl('/sessions'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toEqual({
      message: 'The copilot service cannot be reached at present. Try again in 5 s.',
    });
    expect((await get('/v3/version')).status).toBe(200);
    stack.startGateway(0);
    await stack.ready();
    expect((await fetch(chatUrl('/sessions'))).status).toBe(200);
  });
});
