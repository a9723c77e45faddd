import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signJwt } from '../auth/jwt';
import { TestGateway } from '../testing/test-gateway';

const JWT_SECRET = 'a secret of more than thirty-two characters';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start({ settings: { AUTH_MODE: 'jwt', JWT_SECRET } });
});

afterAll(() => gateway.stop());

const exp = Math.floor(Date.now() / 1_000) + 600;
const tokenOf = (superadmin: boolean) => signJwt({ sub: randomUUID(), exp, superadmin }, JWT_SECRET);
const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/admin/queues${path}`, { headers, redirect: 'manual' });

describe('the dashboard', () => {
  it.each(['', '/', '/api/queues', '/static/css/styles.css', '//api/queues', '/../queues/api/queues'])(
    'is closed to whoever brings no token: %s',
    async (path) => {
      const response = await open(path);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await response.json()).toEqual({ message: 'Not authenticated' });
    },
  );

  it('is closed to an ordinary user', async () => {
    const response = await open('', { authorization: `Bearer ${tokenOf(false)}` });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'Only administrators can see the queues' });
  });

  it('opens for an administrator with a header', async () => {
    const response = await open('/api/queues', { authorization: `Bearer ${tokenOf(true)}` });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ queues: [{ name: 'runs' }, { name: 'tool-calls' }] });
  });

  it('opens in a browser with ?token=, which moves into a cookie of these pages', async () => {
    const moved = await open(`?token=${tokenOf(true)}`);
    expect([moved.status, moved.headers.get('location')]).toEqual([303, '/admin/queues']);
    const cookie = moved.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^copilot_dashboard=[^;]+; Path=\/admin\/queues; HttpOnly; SameSite=Strict$/);
    expect((await open('/api/queues', { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
  });

  it('gives that cookie to HTTPS alone where a proxy says that it has TLS', async () => {
    const moved = await open(`?token=${tokenOf(true)}`, { 'x-forwarded-proto': 'https' });
    expect(moved.headers.get('set-cookie')).toMatch(/; Secure/);
  });

  it.each(['copilot_dashboard=%', 'copilot_dashboard=x', 'other=1'])(
    'does not take the cookie %s',
    async (cookie) => {
      expect((await open('', { cookie })).status).toBe(401);
    },
  );
});
