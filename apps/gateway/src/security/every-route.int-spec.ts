import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStream } from '../../../../test/e2e/support/sse-client';
import { signJwt } from '../auth/jwt';
import { apiDocument } from '../http/api-docs';
import { createPreview } from '../http/preview';
import { jsonRequest, TestGateway } from '../testing/test-gateway';
import { ownershipOf, routesOf, type Route } from '../testing/routes';

/**
 * Every route of the API document, in both spellings, against callers who must not get anything. A new route is in
 * here by itself; one that needs a body, or answers strangers in a way of its own, has to say so below.
 */
const JWT_SECRET = 'a secret of more than thirty-two characters';
const MODEL_CONFIG = {
  name: 'stolen',
  model_type: 'text',
  provider: 'openai',
  base_url: '',
  model: 'm',
  context_limit: 8,
};

/** A valid body, for routes that look at it before they look at what it is for. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /v3/projects/{project_id}/chat/stream': { message: 'hello', session_id: 'of the owner' },
  'POST /v3/projects/{project_id}/chat/inject': { message: 'hello', session_id: 'of the owner' },
  'POST /v3/projects/{project_id}/chat/estimate': { message: 'hello', session_id: 'of the owner' },
  'POST /v3/projects/{project_id}/chat/runs': { message: 'hello', session_id: 'of the owner' },
  'PATCH /v3/projects/{project_id}/chat/sessions/{session_id}': { title: 'stolen' },
  'PATCH /v3/projects/{project_id}/chat/runs/{run_id}/limits': { max_iterations: 5 },
  'POST /v3/projects/{project_id}/chat/runs/{run_id}/approvals': {
    calls: [{ tool_call_id: 'call_1', decision: 'approve' }],
  },
  'PUT /v3/projects/{project_id}/chat/sessions/{session_id}/budget': { max_total_tool_calls: 5 },
  'POST /v3/users/{user_id}/llm-model-configs': MODEL_CONFIG,
  'POST /v3/groups/{group_id}/llm-model-configs': MODEL_CONFIG,
};

/** Where a stranger is not refused but sees nothing, as the wire contract has it. */
const ANSWERED: Readonly<Record<string, number>> = {
  'GET /v3/projects/{project_id}/chat/sessions': 200,
  'GET /v3/projects/{project_id}/chat/sessions/{session_id}/history': 200,
  'POST /v3/projects/{project_id}/chat/sessions/{session_id}/abort': 200,
  // The session is another user's.
  'POST /v3/projects/{project_id}/chat/stream': 404,
  'POST /v3/projects/{project_id}/chat/inject': 404,
  'POST /v3/projects/{project_id}/chat/estimate': 404,
  'POST /v3/projects/{project_id}/chat/runs': 404,
};

const REFUSALS = { run: 404, session: 404, user: 403, group: 403, service: 403 } as const;

const routes = routesOf(apiDocument(await createPreview()));
const guarded = routes.filter((route) => ownershipOf(route) !== 'public').map(named);

function named(route: Route): [string, Route] {
  return [`${route.method} ${route.path}`, route];
}

const exp = Math.floor(Date.now() / 1_000) + 3_600;
const owner = { sub: randomUUID(), exp, projects: 'all' };
const stranger = { sub: randomUUID(), exp, projects: 'all' };
const outsider = { sub: owner.sub, exp, projects: [randomUUID()] };
const token = (claims: object) => signJwt(claims, JWT_SECRET);
const SECRET_TEXT = 'only the owner may read this';

let gateway: TestGateway;
let runId: string;
let configId: string;

beforeAll(async () => {
  gateway = await TestGateway.start({
    settings: { AUTH_MODE: 'jwt', JWT_SECRET, RATE_LIMIT_PER_MINUTE: '0', CHAT_RATE_LIMIT_PER_MINUTE: '0' },
  });
  for (const { sub } of [owner, stranger]) await gateway.configureModel(sub, token({ ...owner, sub }));
  configId = await ownersConfig();
  const chat = jsonRequest('POST', { message: SECRET_TEXT, session_id: 'of the owner' });
  const stream = await openStream(gateway.chatUrl('/stream'), {
    ...chat,
    headers: { ...chat.headers, authorization: `Bearer ${token(owner)}` },
  });
  runId = String((await stream.frames.next()).value?.data.run_id);
});

afterAll(() => gateway.stop());

async function ownersConfig(): Promise<string> {
  const response = await fetch(`${gateway.url}/v3/users/${owner.sub}/llm-model-configs/own`, {
    headers: { authorization: `Bearer ${token(owner)}` },
  });
  const [config] = (await response.json()) as [{ config_id: string }];
  return config.config_id;
}

async function call({ method, path, name }: Route, headers: Record<string, string>) {
  const values: Record<string, string> = {
    project_id: gateway.projectId,
    session_id: 'of the owner',
    run_id: runId,
    user_id: owner.sub,
    group_id: randomUUID(),
    config_id: configId,
  };
  const url = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? 'missing'));
  const sendsBody = method !== 'GET' && method !== 'DELETE';
  const init = sendsBody ? jsonRequest(method, BODIES[name] ?? {}) : { method, headers: {} };
  const response = await fetch(gateway.url + url, { ...init, headers: { ...init.headers, ...headers } });
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    text: await response.text(),
  };
}

const bearer = (claims: object) => ({ authorization: `Bearer ${token(claims)}` });

describe('every route', () => {
  it('is public by name, or about something that belongs to somebody', () => {
    expect(routes.filter((route) => ownershipOf(route) === 'unknown')).toEqual([]);
    expect(guarded.length).toBeGreaterThan(30);
  });

  it.each(guarded)('%s answers 401 to whoever brings no token', async (_name, route) => {
    const answer = await call(route, {});
    expect(answer).toEqual({ status: 401, challenge: 'Bearer', text: '{"message":"Not authenticated"}' });
  });

  it.each(guarded)('%s answers 401 to a token that is not valid', async (_name, route) => {
    for (const bad of [
      signJwt(owner, `${JWT_SECRET}!`),
      token({ ...owner, exp: 1 }),
      token({ exp, projects: 'all' }),
    ]) {
      const answer = await call(route, { authorization: `Bearer ${bad}` });
      expect(answer).toEqual({
        status: 401,
        challenge: 'Bearer',
        text: '{"message":"Could not validate credentials"}',
      });
    }
  });

  it.each(guarded)('%s gives nothing of the owner to another user', async (_name, route) => {
    const kind = ownershipOf(route);
    const { status, text } = await call(route, bearer(stranger));
    expect(text).not.toContain(SECRET_TEXT);
    expect(text).not.toContain(owner.sub);
    const expected =
      ANSWERED[route.name] ?? (kind in REFUSALS ? REFUSALS[kind as keyof typeof REFUSALS] : 200);
    expect(status).toBe(expected);
  });

  it.each(guarded.filter(([, { path }]) => path.includes('{project_id}')))(
    '%s is closed to a token of the owner that is for another project',
    async (_name, route) => {
      await expect(call(route, bearer(outsider))).resolves.toMatchObject({
        status: 403,
        text: '{"message":"Permission denied (privilege Project.Audit is required)"}',
      });
    },
  );

  it('left everything of the owner as it was', async () => {
    const { rows } = await gateway.connection.pool.query(
      `SELECT title, pinned, (SELECT count(*)::int FROM runs) AS runs,
        (SELECT count(*)::int FROM model_configs WHERE name = 'stolen') AS stolen FROM sessions`,
    );
    expect(rows).toEqual([{ title: 'New Conversation', pinned: false, runs: 1, stolen: 0 }]);
    const { status } = await gateway.connection.pool
      .query('SELECT status FROM runs WHERE run_id = $1', [runId])
      .then(({ rows: [run] }) => run as { status: string });
    expect(status).toBe('queued');
  });
});
