import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Stack } from '../e2e/support/stack';
import { readAsWebUi } from './support/web-ui-reader';
import { call, CONFIG_SPELLINGS, NAIVE_UTC, WireChat } from './support/wire';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ withoutModelConfig: true });
});

afterAll(() => stack.stop());

const API_KEY = 'sk-contract-0123456789';

describe.each(CONFIG_SPELLINGS)('model configs under the path %s', (_of, prefix) => {
  const send = (method: string, path = '', body?: unknown) =>
    call(method, stack.url(`${prefix}/${LOCAL_USER_ID}/llm-model-configs${path}`), body);

  /** What the web UI's form sends. */
  const form = (fields: Record<string, unknown> = {}) => ({
    name: 'lab',
    model_type: 'text',
    is_default: false,
    provider: 'openai',
    base_url: stack.model.baseUrl,
    model: 'scripted',
    api_key: API_KEY,
    context_limit: 128,
    copilot_mode: 'lab_automation_assistant',
    ...fields,
  });
  const resource = (config_id: unknown = expect.any(String)) => ({
    config_id,
    name: 'lab',
    model_type: 'text',
    config: {
      provider: 'openai',
      base_url: stack.model.baseUrl,
      model: 'scripted',
      temperature: 0.7,
      // Whatever is stored.
      api_key: null,
      max_tokens: null,
      context_limit: 128,
      context_strategy: 'balanced',
      copilot_mode: 'lab_automation_assistant',
    },
    user_id: LOCAL_USER_ID,
    group_id: null,
    is_default: false,
    version: 0,
    created_at: NAIVE_UTC,
    updated_at: NAIVE_UTC,
  });
  const created = async (fields: Record<string, unknown> = {}): Promise<string> => {
    const { status, body } = await send('POST', '', form(fields));
    expect(status).toBe(201);
    return (body as { config_id: string }).config_id;
  };

  it('are an empty list at first, and no default', async () => {
    expect(await send('GET')).toEqual({ status: 200, body: { configs: [], default_config: null, total: 0 } });
    expect(await send('GET', '/own')).toEqual({ status: 200, body: [] });
    expect(await send('GET', '/default')).toEqual({
      status: 404,
      body: { message: `No default LLM model configuration found for user '${LOCAL_USER_ID}'` },
    });
  });

  it('have exactly the fields of the contract, with nulls, in every answer', async () => {
    const made = await send('POST', '', form({ is_default: true }));
    expect(made).toEqual({ status: 201, body: { ...resource(), is_default: true } });
    const config = made.body as Record<string, unknown>;
    const inherited = { ...config, source: 'user', group_name: null };
    expect(await send('GET')).toEqual({
      status: 200,
      body: { configs: [inherited], default_config: inherited, total: 1 },
    });
    expect(await send('GET', '/own')).toEqual({ status: 200, body: [config] });
    expect(await send('GET', '/default')).toEqual({ status: 200, body: config });
    const path = `/${String(config.config_id)}`;
    expect(await send('PUT', path, { name: 'other' })).toEqual({
      status: 200,
      body: { ...config, name: 'other', version: 1, updated_at: NAIVE_UTC },
    });
    expect(await send('DELETE', path)).toEqual({ status: 204, body: undefined });
  });

  it('keep fields that nobody knows, from the first on and in a change', async () => {
    const id = await created({ top_p: 0.9 });
    const { body } = await send('PUT', `/${id}`, { seed: 7, api_key: null, name: null });
    const { config } = resource();
    expect(body).toMatchObject({ name: 'lab', config: { ...config, top_p: 0.9, seed: 7 } });
    await send('DELETE', `/${id}`);
  });

  it.each([[4096], ['4096']])('take max_tokens %j in a change', async (max_tokens) => {
    const id = await created();
    for (const value of [max_tokens, 'null', '', null]) {
      const { body } = await send('PUT', `/${id}`, { max_tokens: value });
      expect(body).toMatchObject({ config: { max_tokens: 4096 } });
    }
    await send('DELETE', `/${id}`);
  });

  it('answer 409 with both versions where somebody else was first', async () => {
    const id = await created();
    await send('PUT', `/${id}`, { name: 'theirs', expected_version: 0 });
    await send('PUT', `/${id}`, { name: 'theirs again' });
    expect(await send('PUT', `/${id}`, { name: 'mine', expected_version: 1 })).toEqual({
      status: 409,
      body: {
        message:
          'Concurrent modification detected. Expected version 1, but current version is 2. Please retry.',
      },
    });
    await send('DELETE', `/${id}`);
  });

  it('have one default, which `{}` as the body sets and which has no effect on the version', async () => {
    const [first, second] = [await created({ is_default: true }), await created()];
    expect(await send('PUT', `/default/${second}`, {})).toEqual({
      status: 200,
      body: { ...resource(second), is_default: true, updated_at: NAIVE_UTC },
    });
    const { body } = await send('GET');
    expect(body).toMatchObject({ default_config: { config_id: second }, total: 2 });
    expect((body as { configs: unknown[] }).configs).toEqual(
      expect.arrayContaining([expect.objectContaining({ config_id: first, is_default: false })]),
    );
    for (const id of [first, second]) await send('DELETE', `/${id}`);
  });

  it.each([
    ['PUT', '', {}],
    ['PUT', '/default', {}],
    ['DELETE', '', undefined],
  ])('that do not exist are a 404 for %s %s/id', async (method, path, body) => {
    const id = randomUUID();
    expect(await send(method, `${path}/${id}`, body)).toEqual({
      status: 404,
      body: { message: `LLM model configuration '${id}' not found` },
    });
  });

  it.each([
    ['name', ''],
    ['name', 'x'.repeat(101)],
    ['model_type', 'oracle'],
    ['temperature', 2.1],
    ['max_tokens', 0],
    ['context_limit', 0],
    ['context_strategy', 'greedy'],
    ['provider', undefined],
    ['base_url', undefined],
    ['model', undefined],
  ])('with another %s than the contract has, such as %j, are a 422', async (field, value) => {
    const { status, body } = await send('POST', '', form({ [field]: value }));
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({ message: expect.stringContaining(field) }),
    ]);
  });

  it("are what the UI's mode menu changes, in force for the next message", async () => {
    const id = await created({ is_default: true, copilot_mode: 'teaching_assistant' });
    const chat = new WireChat(stack, '/v3/copilot/projects');
    const toolsOf = async () => {
      await readAsWebUi(await chat.open('hello', randomUUID()));
      return stack.model.requests.at(-1)?.tools?.map((tool) => tool.function.name);
    };
    const teaching = await toolsOf();
    const { status } = await send('PUT', `/${id}`, { copilot_mode: 'lab_automation_assistant' });
    expect(status).toBe(200);
    const lab = await toolsOf();
    expect(teaching).not.toContain('execute_multiple_device_config_commands');
    expect(lab).toContain('execute_multiple_device_config_commands');
    await send('DELETE', `/${id}`);
  });

  it('without a mode, or with one that nobody knows, are good to chat with as a teaching assistant', async () => {
    const chat = new WireChat(stack, '/v3/copilot/projects');
    for (const copilot_mode of [undefined, null, 'no_such_mode']) {
      const id = await created({ is_default: true, copilot_mode });
      const frames = await readAsWebUi(await chat.open('hello', randomUUID()));
      expect(frames.at(-1)).toMatchObject({ type: 'done', stop_reason: 'completed' });
      const tools = stack.model.requests.at(-1)?.tools?.map((tool) => tool.function.name);
      expect(tools).not.toContain('execute_multiple_device_config_commands');
      await send('DELETE', `/${id}`);
    }
  });
});

describe("another user's model configs", () => {
  it.each([
    ['GET', '', 'User.Audit'],
    ['POST', '', 'User.Modify'],
  ])('are a 403 that names the privilege (%s)', async (method, path, privilege) => {
    const url = stack.url(`/v3/access/users/${randomUUID()}/llm-model-configs${path}`);
    const body = {
      name: 'x',
      model_type: 'text',
      provider: 'openai',
      base_url: '',
      model: 'm',
      context_limit: 8,
    };
    expect(await call(method, url, method === 'POST' ? body : undefined)).toEqual({
      status: 403,
      body: { message: `Permission denied (privilege ${privilege} is required)` },
    });
  });
});
