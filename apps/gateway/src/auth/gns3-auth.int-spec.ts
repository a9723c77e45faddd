import { randomUUID } from 'node:crypto';
import { RunTokens } from '@copilot/persistence';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, openStream } from '../../../../test/e2e/support/sse-client';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

let gateway: TestGateway;

const ALICE = { user_id: randomUUID(), username: 'alice' };
const BOB = { user_id: randomUUID(), username: 'bob' };
const ROOT = { user_id: randomUUID(), username: 'root', is_superadmin: true };

beforeAll(async () => {
  gateway = await TestGateway.start({ settings: { AUTH_MODE: 'gns3' } });
  gateway.gns3.users.set('token-alice', ALICE);
  gateway.gns3.users.set('token-bob', { ...BOB, projects: [] });
  gateway.gns3.users.set('token-root', ROOT);
  gateway.gns3.users.set('token-left', { user_id: randomUUID(), username: 'left', is_active: false });
});

afterAll(() => gateway.stop());

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function sessions(init: RequestInit = {}, query = '') {
  const response = await fetch(`${gateway.chatUrl('/sessions')}${query}`, init);
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    body: await response.json(),
  };
}

describe('AUTH_MODE=gns3', () => {
  it.each([
    ['no token', {}, 'Not authenticated'],
    ['a Basic login', { headers: { authorization: 'Basic YWRtaW46YWRtaW4=' } }, 'Not authenticated'],
    ['a token that the server does not know', bearer('nope'), 'Could not validate credentials'],
    ['a user who is not active', bearer('token-left'), 'Not an active user'],
    ['a very long token', bearer('x'.repeat(9_000)), 'Could not validate credentials'],
  ])('refuses %s with 401 and the words of the contract', async (_what, init, message) => {
    await expect(sessions(init)).resolves.toEqual({ status: 401, challenge: 'Bearer', body: { message } });
  });

  it('takes a token from the header and from the query', async () => {
    await expect(sessions(bearer('token-alice'))).resolves.toMatchObject({ status: 200 });
    await expect(sessions({}, '?token=token-alice')).resolves.toMatchObject({ status: 200 });
  });

  it('asks the server once for a burst of requests', async () => {
    gateway.gns3.users.set('token-burst', { user_id: randomUUID(), username: 'burst' });
    const before = gateway.gns3.userReads;
    await Promise.all(Array.from({ length: 30 }, () => sessions(bearer('token-burst'))));
    expect(gateway.gns3.userReads - before).toBe(1);
  });

  it('lets nobody into a project that the server does not show them', async () => {
    await expect(sessions(bearer('token-bob'))).resolves.toMatchObject({
      status: 403,
      body: { message: 'Permission denied (privilege Project.Audit is required)' },
    });
  });

  it('keeps the sessions of users apart', async () => {
    await gateway.configureModel(ALICE.user_id, 'token-alice');
    const { runId, stream } = await chat('token-alice', 'hers');
    const run = gateway.chatUrl(`/runs/${runId}`);
    expect((await fetch(run, bearer('token-alice'))).status).toBe(200);
    expect((await fetch(run, bearer('token-root'))).status).toBe(404);
    await expect(sessions(bearer('token-root'))).resolves.toMatchObject({ body: [] });
    await (await gateway.play(runId)).finish();
    await collect(stream.frames);
  });
});

describe("a run's token", () => {
  it('is sealed in Postgres, is nowhere in Redis, and is gone when the run has ended', async () => {
    const { runId, stream } = await chat('token-alice', randomUUID());
    const tokens = gateway.app.get(RunTokens);
    expect(await tokens.open(runId)).toBe('token-alice');
    const rows = await gateway.connection.pool.query('SELECT * FROM run_tokens WHERE run_id = $1', [runId]);
    expect(rows.rowCount).toBe(1);
    expect(JSON.stringify(rows.rows)).not.toContain('token-alice');

    await (await gateway.play(runId)).finish();
    await collect(stream.frames);
    expect(await tokens.open(runId)).toBeUndefined();
  });

  it('goes whatever ends the run', async () => {
    const { runId } = await chat('token-alice', randomUUID());
    await gateway.connection.pool.query(
      "UPDATE runs SET status = 'cancelled', ended_at = now() WHERE run_id = $1",
      [runId],
    );
    expect(await gateway.app.get(RunTokens).open(runId)).toBeUndefined();
  });

  it('marks its run, so that a worker never takes the login of the service in its place', async () => {
    const { runId } = await chat('token-alice', randomUUID());
    const { rows } = await gateway.connection.pool.query('SELECT lab_login FROM runs WHERE run_id = $1', [
      runId,
    ]);
    expect(rows).toEqual([{ lab_login: 'caller' }]);
  });
});

describe('while the GNS3 server is away', () => {
  it('nobody is let in, and is told to come back', async () => {
    const other = await TestGateway.start({ settings: { AUTH_MODE: 'gns3' } });
    await other.gns3.stop();
    const response = await fetch(other.chatUrl('/sessions'), bearer('token-alice'));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toEqual({ message: expect.stringContaining('The GNS3 server') });
    await other.stop();
  });
});

async function chat(token: string, sessionId: string) {
  const stream = await openStream(gateway.chatUrl('/stream'), {
    ...jsonRequest('POST', { message: 'hello', session_id: sessionId }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  });
  const { value: first } = await stream.frames.next();
  return { stream, runId: String(first?.data.run_id) };
}
