import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { startDemo, type Demo } from '../demo';
import { QUICK } from '../testing/quick-config';

const HELLO = { model: 'demo-netops', messages: [{ role: 'user', content: 'hello' }] };

describe('the model of the demo', () => {
  let demo: Demo;

  beforeAll(async () => {
    demo = await startDemo(QUICK, pino({ level: 'silent' }));
  });

  afterAll(async () => demo.close());

  async function complete(body: object, key = 'any-key'): Promise<Response> {
    return fetch(`${demo.modelUrl}/chat/completions`, {
      method: 'POST',
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
  }

  async function failWith(...switches: string[]): Promise<void> {
    await fetch(`${demo.gns3Url}/demo/failures`, { method: 'POST', body: JSON.stringify({ set: switches }) });
  }

  it('lists its model to a caller with a key, and refuses one without', async () => {
    const models = await fetch(`${demo.modelUrl}/models`, { headers: { authorization: 'Bearer k' } });
    expect(await models.json()).toMatchObject({
      object: 'list',
      data: [{ id: 'demo-netops', object: 'model' }],
    });
    const refused = await complete(HELLO, '');
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { error: { type: 'invalid_request_error' } },
    ]);
  });

  it('streams chunks up to usage and [DONE]', async () => {
    const response = await complete({ ...HELLO, stream: true, stream_options: { include_usage: true } });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text()).trim().split('\n\n');
    expect(events.every((event) => event.startsWith('data: '))).toBe(true);
    expect(events[0]).toContain('"role":"assistant"');
    expect(events.at(-3)).toContain('"finish_reason":"stop"');
    expect(events.at(-2)).toContain('"choices":[],"usage":{"prompt_tokens":');
    expect(events.at(-1)).toBe('data: [DONE]');
  });

  it('answers in one piece without stream', async () => {
    expect(await (await complete(HELLO)).json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant' }, finish_reason: 'stop' }],
      usage: { total_tokens: expect.any(Number) },
    });
  });

  it.each([
    ['an unknown model', { ...HELLO, model: 'gpt-x' }, 404, 'does not exist'],
    [
      'an unanswered tool call',
      {
        ...HELLO,
        messages: [
          {
            role: 'assistant',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
        ],
      },
      400,
      'did not have response messages: a',
    ],
    ['no messages', { ...HELLO, messages: [] }, 400, 'messages'],
  ])('refuses %s in OpenAI’s error shape', async (_what, body, status, text) => {
    const response = await complete(body);
    expect([response.status, await response.json()]).toEqual([
      status,
      {
        error: expect.objectContaining({
          message: expect.stringContaining(text),
          type: 'invalid_request_error',
        }),
      },
    ]);
  });

  it('fails the number of requests that a switch names', async () => {
    await failWith('model-500=1', 'model-429=1');
    const statuses = [];
    for (let request = 0; request < 3; request += 1) statuses.push((await complete(HELLO)).status);
    expect(statuses.sort()).toEqual([200, 429, 500]);
  });

  it('breaks a stream in the middle by a reset', async () => {
    await failWith('model-reset=1');
    const response = await complete({ ...HELLO, stream: true });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('ends a stream by an error frame, without [DONE]', async () => {
    await failWith('model-error-frame=1');
    const text = await (await complete({ ...HELLO, stream: true })).text();
    expect(text).toContain('data: {"error":');
    expect(text).not.toContain('[DONE]');
  });

  it('refuses what is longer than the context that a switch sets', async () => {
    await failWith('model-context=10');
    const response = await complete(HELLO);
    await failWith();
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'context_length_exceeded' } },
    ]);
  });
});
