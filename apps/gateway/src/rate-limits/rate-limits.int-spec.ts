import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signJwt } from '../auth/jwt';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

const JWT_SECRET = 'a secret of more than thirty-two characters';
const SETTINGS = {
  AUTH_MODE: 'jwt',
  JWT_SECRET,
  RATE_LIMIT_PER_MINUTE: '5',
  CHAT_RATE_LIMIT_PER_MINUTE: '2',
  CORS_ORIGINS: 'https://lab.example.com',
};

let gateway: TestGateway;
let beside: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start({ settings: SETTINGS });
  beside = await TestGateway.start({ settings: SETTINGS, beside: gateway });
});

afterAll(async () => {
  await beside.stop();
  await gateway.stop();
});

function newUser() {
  const exp = Math.floor(Date.now() / 1_000) + 600;
  return { authorization: `Bearer ${signJwt({ sub: randomUUID(), exp, projects: 'all' }, JWT_SECRET)}` };
}

const list = (headers: Record<string, string>, at = gateway) =>
  fetch(at.chatUrl('/sessions', gateway.projectId), { headers });

async function send(headers: Record<string, string>) {
  const chat = jsonRequest('POST', { message: 'hello' });
  return fetch(gateway.chatUrl('/stream'), { ...chat, headers: { ...chat.headers, ...headers } });
}

describe('a user who asks too often', () => {
  it('is refused with the time to wait, whatever gateway is asked, and others are not', async () => {
    beside.gns3.projects.set(gateway.projectId, 'opened');
    const user = newUser();
    const statuses = [];
    for (const at of [gateway, beside, gateway, beside, gateway])
      statuses.push((await list(user, at)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    const refused = await list(user, beside);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await refused.json()).toEqual({
      message: expect.stringMatching(
        /^Too many requests: at most 5 a minute are answered\. Try again in \d+ s\.$/,
      ),
    });
    expect((await list(newUser())).status).toBe(200);
  });

  it('may send fewer messages than other requests', async () => {
    const user = newUser();
    // They have no model config: what is counted is the asking.
    expect([(await send(user)).status, (await send(user)).status]).toEqual([400, 400]);
    const refused = await send(user);
    expect(await refused.json()).toEqual({ message: expect.stringMatching(/^Too many messages: at most 2/) });
    expect((await list(user)).status).toBe(200);
  });
});

describe('web pages', () => {
  const allowed = async (origin: string) => {
    const response = await fetch(gateway.chatUrl('/stream'), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    return response.headers.get('access-control-allow-origin');
  };

  it.each(['http://localhost', 'https://localhost:8443', 'http://127.0.0.1:4200', 'https://lab.example.com'])(
    'of %s may call',
    async (origin) => expect(await allowed(origin)).toBe(origin),
  );

  it.each([
    ['is no JSON', 'application/json', '{"message":'],
    ['is of another type', 'text/plain', '{"message":"hi"}'],
    ['is too large', 'application/json', JSON.stringify({ message: 'x'.repeat(2_000_000) })],
  ])('can read why a body that %s is refused', async (_, type, body) => {
    const headers = { origin: 'http://localhost', 'content-type': type };
    const response = await fetch(gateway.chatUrl('/stream'), { method: 'POST', headers, body });
    expect([413, 422]).toContain(response.status);
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost');
  });

  it.each([
    'https://evil.example',
    'https://lab.example.com.evil.example',
    'http://lab.example.com',
    'http://localhost.evil.example',
    'null',
  ])('of %s may not', async (origin) => expect(await allowed(origin)).toBeNull());
});
