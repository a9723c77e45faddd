import { randomUUID } from 'node:crypto';
import { CONTEXT_LIMIT_REQUIRED, LOCAL_USER_ID } from '@copilot/contracts';
import { ModelConfigsRepository } from '@copilot/persistence';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start({ settings: { MODEL_ALLOWED_HOSTS: 'models.localhost, 127.0.0.1' } });
});

afterAll(() => gateway.stop());

const API_KEY = 'sk-0123456789-very-secret';
const CONFIG = {
  name: 'lab',
  model_type: 'text',
  provider: 'openai',
  base_url: '',
  model: 'gpt',
  api_key: API_KEY,
  context_limit: 128,
};

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

async function call(method: string, path = '', body?: unknown, base = gateway.configsUrl): Promise<Answer> {
  const response = await fetch(base + path, body === undefined ? { method } : jsonRequest(method, body));
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
}

async function create(fields: object = {}): Promise<string> {
  const { status, body } = await call('POST', '', { ...CONFIG, ...fields });
  expect(status).toBe(201);
  return String(body.config_id);
}

describe('creating a model config', () => {
  it('answers 201 with the stored config; the key never comes back, and is stored sealed', async () => {
    const created = await call('POST', '', { ...CONFIG, top_p: 0.9, thinking: { enabled: true } });
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: 'lab',
        model_type: 'text',
        config: {
          provider: 'openai',
          base_url: '',
          model: 'gpt',
          temperature: 0.7,
          api_key: null,
          max_tokens: null,
          context_limit: 128,
          context_strategy: 'balanced',
          copilot_mode: null,
          top_p: 0.9,
          thinking: { enabled: true },
        },
        user_id: LOCAL_USER_ID,
        group_id: null,
        is_default: false,
        version: 0,
      },
    });
    const row = await gateway.app.get(ModelConfigsRepository).find(String(created.body.config_id));
    expect(JSON.stringify(row)).not.toContain(API_KEY);
    for (const path of ['', '/own']) expect((await call('GET', path)).text).not.toContain(API_KEY);
  });

  it('shows the prices that it was given, changes them one by one, and makes none up', async () => {
    const prices = { input_price: 2.5, output_price: 10, cached_input_price: 1.25, currency: 'USD' };
    const id = await create(prices);
    const shown = async () => {
      const { body } = await call('GET');
      return (body.configs as { config_id: string; config: object }[]).find(
        ({ config_id }) => config_id === id,
      );
    };
    expect(await shown()).toMatchObject({ config: prices });
    await call('PUT', `/${id}`, { input_price: 0.000001, currency: null });
    expect(await shown()).toMatchObject({ config: { ...prices, input_price: 0.000001 } });
    const plain = await call('POST', '', CONFIG);
    expect(Object.keys(plain.body.config as object)).not.toEqual(expect.arrayContaining(['input_price']));
  });

  it.each([
    [{ input_price: -0.1 }, 'input_price must be a number from 0 to 1000000'],
    [{ output_price: 0.0000001 }, 'with at most 6 decimal places'],
    [{ currency: 'dollar' }, 'currency must be a currency code of three capital letters'],
  ])('refuses the prices %j, in a change too', async (fields, message) => {
    const refusal = { status: 422, body: { message: expect.stringContaining(message) } };
    await expect(call('POST', '', { ...CONFIG, ...fields })).resolves.toMatchObject(refusal);
    await expect(call('PUT', `/${await create()}`, fields)).resolves.toMatchObject(refusal);
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['zero', 0],
    ['a fraction', 1.5],
    ['a text', '128'],
  ])(
    'with a context_limit that is %s gets the fixed text alone, whatever else is wrong',
    async (_what, limit) => {
      const answer = await call('POST', '', { ...CONFIG, name: '', context_limit: limit });
      expect(answer).toMatchObject({ status: 422 });
      expect(answer.body).toEqual({ message: CONTEXT_LIMIT_REQUIRED, detail: CONTEXT_LIMIT_REQUIRED });
    },
  );

  it.each([{ note: 'a\0b' }, { note: { deep: ['\ud800'] } }])(
    'refuses what Postgres cannot store as JSON: %j',
    async (fields) => {
      await expect(call('POST', '', { ...CONFIG, ...fields })).resolves.toMatchObject({
        status: 422,
        body: { message: '"note" must be valid Unicode without NUL' },
      });
    },
  );

  it.each([
    ['context_strategy', 'greedy', 'conservative, balanced, aggressive'],
    ['context_overflow', 'drop', 'trim, summarize'],
    ['tokenizer', 'p50k_base', 'cl100k_base, o200k_base'],
  ])('with another %s than it knows names the field and what it may be', async (field, value, allowed) => {
    const answer = await call('POST', '', { ...CONFIG, [field]: value });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toContain(field);
    expect(answer.body.message).toContain(`must be one of ${allowed}`);
    const id = await create({ [field]: allowed.split(', ').at(-1) });
    expect((await call('PUT', `/${id}`, { [field]: value })).status).toBe(422);
  });

  it('with a bad key does not repeat the key', async () => {
    const { status, text } = await call('POST', '', { ...CONFIG, api_key: 12_345_678 });
    expect(status).toBe(422);
    expect(text).not.toContain('12345678');
  });

  it('with an internal base_url names the field, the host and the remedy', async () => {
    const answer = await call('POST', '', { ...CONFIG, base_url: 'http://localhost:11434/v1' });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toMatch(/^base_url names the host localhost, .* MODEL_ALLOWED_HOSTS\.$/);
  });

  it('takes hosts of MODEL_ALLOWED_HOSTS', async () => {
    await create({ base_url: 'http://127.0.0.1:8000/v1' });
    await create({ base_url: 'http://MODELS.localhost/v1' });
  });
});

describe('a model config', () => {
  it('becomes the only default, under both spellings of the path', async () => {
    const [first, second] = [await create({ is_default: true }), await create()];
    const other = `${gateway.url}/v3/access/users/${LOCAL_USER_ID}/llm-model-configs`;
    await expect(call('PUT', `/default/${second}`, {}, other)).resolves.toMatchObject({
      status: 200,
      body: { config_id: second, is_default: true, version: 0 },
    });
    const { body } = await call('GET');
    expect(body).toMatchObject({ default_config: { config_id: second, source: 'user', group_name: null } });
    await expect(call('PUT', `/default/${first}`)).resolves.toMatchObject({ status: 200 });
    const configs = (await call('GET', '/own')).body as unknown as {
      config_id: string;
      is_default: boolean;
    }[];
    expect(configs.filter((config) => config.is_default).map((config) => config.config_id)).toEqual([first]);
  });

  it('is changed field by field; null changes nothing, unknown fields are merged', async () => {
    const id = await create({ top_p: 0.5 });
    const changes = {
      model: 'better',
      name: null,
      max_tokens: '4096',
      copilot_mode: 'lab_automation_assistant',
      seed: 1,
    };
    await expect(call('PUT', `/${id}`, changes)).resolves.toMatchObject({
      status: 200,
      body: {
        name: 'lab',
        version: 1,
        config: {
          model: 'better',
          max_tokens: 4096,
          top_p: 0.5,
          seed: 1,
          copilot_mode: 'lab_automation_assistant',
        },
      },
    });
    await expect(call('PUT', `/${id}`, { max_tokens: 'null' })).resolves.toMatchObject({
      body: { version: 2, config: { max_tokens: 4096 } },
    });
    await expect(call('PUT', `/${id}`, { context_limit: -1 })).resolves.toMatchObject({
      status: 422,
      body: { message: CONTEXT_LIMIT_REQUIRED },
    });
    await expect(call('PUT', `/${id}`, { base_url: 'http://192.168.1.1/' })).resolves.toMatchObject({
      status: 422,
    });
  });

  it('that somebody else has changed meanwhile: 409', async () => {
    const id = await create();
    await call('PUT', `/${id}`, { name: 'theirs' });
    await expect(call('PUT', `/${id}`, { name: 'mine', expected_version: 0 })).resolves.toMatchObject({
      status: 409,
      body: {
        message:
          'Concurrent modification detected. Expected version 0, but current version is 1. Please retry.',
      },
    });
  });

  it.each(['', '/default'])('that does not exist: 404 (PUT %s/id)', async (path) => {
    const id = randomUUID();
    await expect(call('PUT', `${path}/${id}`, {})).resolves.toMatchObject({
      status: 404,
      body: { message: `LLM model configuration '${id}' not found` },
    });
  });

  it.each([
    ['GET', '', 'User.Audit'],
    ['GET', '/own', 'User.Audit'],
    ['POST', '', 'User.Modify'],
    ['PUT', `/${randomUUID()}`, 'User.Modify'],
    ['PUT', `/default/${randomUUID()}`, 'User.Modify'],
  ])('of another user: 403 (%s %s)', async (method, path, privilege) => {
    const other = `${gateway.url}/v3/users/${randomUUID()}/llm-model-configs`;
    await expect(call(method, path, method === 'GET' ? undefined : CONFIG, other)).resolves.toMatchObject({
      status: 403,
      body: { message: `Permission denied (privilege ${privilege} is required)` },
    });
  });
});
