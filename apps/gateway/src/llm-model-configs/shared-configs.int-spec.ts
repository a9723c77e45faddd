import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStream } from '../../../../test/e2e/support/sse-client';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

let gateway: TestGateway;

const GROUP = randomUUID();
const USER_ID = randomUUID();

beforeAll(async () => {
  gateway = await TestGateway.start({ settings: { AUTH_MODE: 'gns3' } });
  const { users, groups } = gateway.gns3;
  groups.set(GROUP, 'Students');
  users.set('member', { user_id: USER_ID, username: 'member', groups: [GROUP] });
  users.set('auditor', { user_id: randomUUID(), username: 'a', privileges: ['Group.Audit'] });
  users.set('manager', { user_id: randomUUID(), username: 'm', privileges: ['Group.Audit', 'Group.Modify'] });
  users.set('root', { user_id: randomUUID(), username: 'root', is_superadmin: true });
});

beforeEach(() => gateway.connection.pool.query('DELETE FROM model_configs'));

afterAll(() => gateway.stop());

const CONFIG = {
  name: 'lab',
  model_type: 'text',
  provider: 'openai',
  base_url: '',
  model: 'gpt',
  api_key: 'sk-0123456789-very-secret',
  context_limit: 128,
};
const GROUP_PATH = `/v3/access/groups/${GROUP}/llm-model-configs`;
const USER_PATH = `/v3/access/users/${USER_ID}/llm-model-configs`;

async function call(token: string, method: string, path: string, body?: unknown) {
  const init = body === undefined ? { method, headers: {} } : jsonRequest(method, body);
  const response = await fetch(gateway.url + path, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  const parsed: unknown = text === '' ? {} : JSON.parse(text);
  return { status: response.status, text, body: parsed as Record<string, unknown> };
}

async function create(path: string, fields: object = {}): Promise<string> {
  const { status, body } = await call('root', 'POST', path, { ...CONFIG, ...fields });
  expect(status).toBe(201);
  return String(body.config_id);
}

describe('the configs of a group', () => {
  it('are listed, changed, made the default and deleted by whoever may change the group', async () => {
    const created = await call('manager', 'POST', GROUP_PATH, { ...CONFIG, is_default: true });
    expect(created).toMatchObject({
      status: 201,
      body: { group_id: GROUP, user_id: null, is_default: true },
    });
    const first = String(created.body.config_id);
    const second = await create(GROUP_PATH, { name: 'other' });
    const other = `/v3/groups/${GROUP}/llm-model-configs`;
    await expect(call('manager', 'PUT', `${other}/default/${second}`, {})).resolves.toMatchObject({
      status: 200,
      body: { config_id: second, is_default: true },
    });
    const list = await call('auditor', 'GET', GROUP_PATH);
    expect(list).toMatchObject({ status: 200, body: { total: 2, default_config: { config_id: second } } });
    expect(list.text).not.toContain('source');
    await expect(call('auditor', 'GET', `${GROUP_PATH}/default`)).resolves.toMatchObject({
      body: { config_id: second },
    });
    await expect(
      call('manager', 'PUT', `${GROUP_PATH}/${first}`, { name: 'n', expected_version: 7 }),
    ).resolves.toMatchObject({
      status: 409,
      body: {
        message:
          'Concurrent modification detected. Expected version 7, but current version is 0. Please retry.',
      },
    });
    expect((await call('manager', 'DELETE', `${GROUP_PATH}/${second}`)).status).toBe(204);
    await expect(call('manager', 'DELETE', `${GROUP_PATH}/${second}`)).resolves.toMatchObject({
      status: 404,
      body: { message: `LLM model configuration '${second}' not found` },
    });
    await expect(call('auditor', 'GET', `${GROUP_PATH}/default`)).resolves.toMatchObject({
      status: 404,
      body: { message: `No default LLM model configuration found for group '${GROUP}'` },
    });
  });

  it.each([
    ['member', 'GET', '', 'Group.Audit'],
    ['member', 'GET', '/default', 'Group.Audit'],
    ['auditor', 'POST', '', 'Group.Modify'],
    ['auditor', 'PUT', `/${randomUUID()}`, 'Group.Modify'],
    ['auditor', 'PUT', `/default/${randomUUID()}`, 'Group.Modify'],
    ['auditor', 'DELETE', `/${randomUUID()}`, 'Group.Modify'],
  ])('are closed to %s: %s %s', async (token, method, path, privilege) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : CONFIG;
    await expect(call(token, method, GROUP_PATH + path, body)).resolves.toMatchObject({
      status: 403,
      body: { message: `Permission denied (privilege ${privilege} is required)` },
    });
  });

  it('of a group that does not exist: 404', async () => {
    const missing = randomUUID();
    await expect(
      call('root', 'POST', `/v3/access/groups/${missing}/llm-model-configs`, CONFIG),
    ).resolves.toMatchObject({ status: 404, body: { message: `User group '${missing}' not found` } });
  });

  it('are not reached by the path of another owner', async () => {
    const id = await create(GROUP_PATH);
    expect((await call('member', 'PUT', `${USER_PATH}/${id}`, { name: 'mine' })).status).toBe(404);
    expect((await call('member', 'DELETE', `${USER_PATH}/${id}`)).status).toBe(404);
  });
});

describe('what a user inherits', () => {
  it('is listed beside the own configs with its group', async () => {
    const own = await create(USER_PATH);
    const shared = await create(GROUP_PATH);
    await expect(call('member', 'GET', USER_PATH)).resolves.toMatchObject({
      status: 200,
      body: {
        total: 2,
        configs: [
          { config_id: own, source: 'user', group_name: null },
          { config_id: shared, source: 'group', group_name: 'Students', group_id: GROUP, user_id: null },
        ],
      },
    });
    const { body } = await call('member', 'GET', `${USER_PATH}/own`);
    expect(body).toMatchObject([{ config_id: own }]);
  });

  it('decides what chats run with: own default, group default, first own, first of a group', async () => {
    const chosen = async () =>
      ((await call('member', 'GET', USER_PATH)).body.default_config as { config_id: string } | null)
        ?.config_id;
    expect(await chosen()).toBeUndefined();
    const firstShared = await create(GROUP_PATH);
    expect(await chosen()).toBe(firstShared);
    const firstOwn = await create(USER_PATH);
    await create(USER_PATH);
    expect(await chosen()).toBe(firstOwn);
    const sharedDefault = await create(GROUP_PATH, { is_default: true });
    expect(await chosen()).toBe(sharedDefault);
    const ownDefault = await create(USER_PATH, { is_default: true });
    expect(await chosen()).toBe(ownDefault);
  });

  it('is enough to chat', async () => {
    const id = await create(GROUP_PATH, { copilot_mode: 'lab_automation_assistant' });
    const chat = jsonRequest('POST', { message: 'hi' });
    await openStream(gateway.chatUrl('/stream'), {
      ...chat,
      headers: { ...chat.headers, authorization: 'Bearer member' },
    });
    const { rows } = await gateway.connection.pool.query(
      'SELECT model_config_id FROM runs WHERE user_id = $1',
      [USER_ID],
    );
    expect(rows).toEqual([{ model_config_id: id }]);
  });
});

describe("a user's own default", () => {
  it('is found only where an own config is marked as one', async () => {
    await create(GROUP_PATH, { is_default: true });
    await create(USER_PATH);
    await expect(call('member', 'GET', `${USER_PATH}/default`)).resolves.toMatchObject({
      status: 404,
      body: { message: `No default LLM model configuration found for user '${USER_ID}'` },
    });
    const id = await create(USER_PATH, { is_default: true });
    await expect(call('member', 'GET', `${USER_PATH}/default`)).resolves.toMatchObject({
      body: { config_id: id },
    });
  });

  it('stays when another that does not exist is to be the default', async () => {
    const id = await create(USER_PATH, { is_default: true });
    await call('member', 'PUT', `${USER_PATH}/default/${randomUUID()}`, {});
    await expect(call('member', 'GET', `${USER_PATH}/default`)).resolves.toMatchObject({
      body: { config_id: id },
    });
  });
});

describe('a superadmin', () => {
  it("reads and changes every user's configs", async () => {
    const id = await create(USER_PATH);
    await expect(call('root', 'PUT', `${USER_PATH}/${id}`, { name: 'n' })).resolves.toMatchObject({
      status: 200,
      body: { name: 'n', version: 1 },
    });
    expect((await call('root', 'DELETE', `${USER_PATH}/${id}`)).status).toBe(204);
  });

  it('cannot store a config for a user who does not exist', async () => {
    const missing = randomUUID();
    await expect(
      call('root', 'POST', `/v3/users/${missing}/llm-model-configs`, CONFIG),
    ).resolves.toMatchObject({ status: 404, body: { message: `User '${missing}' not found` } });
  });
});

describe('a setting that looks like a secret', () => {
  it('is kept sealed and never shown, and goes when it is replaced', async () => {
    const id = await create(USER_PATH, {
      top_p: 0.9,
      access_token: 'hush-hush-1',
      headers: { 'X-Team': 'lab', Authorization: 'hush-hush-2' },
    });
    const shown = await call('member', 'GET', USER_PATH);
    expect(shown.text).not.toContain('hush-hush');
    expect(shown.body).toMatchObject({
      configs: [{ config: { top_p: 0.9, access_token: null, headers: null } }],
    });
    const stored = await gateway.connection.pool.query('SELECT * FROM model_configs WHERE config_id = $1', [
      id,
    ]);
    expect(JSON.stringify(stored.rows)).not.toContain('hush-hush');
    const changed = await call('member', 'PUT', `${USER_PATH}/${id}`, { headers: { 'X-Team': 'lab' } });
    expect(changed.body).toMatchObject({ config: { headers: { 'X-Team': 'lab' }, access_token: null } });
  });
});
