import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, ofType } from './support/sse-client';
import { post, Stack } from './support/stack';

const CLOSED_PROJECT = '22222222-2222-4222-8222-222222222222';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ withoutModelConfig: true });
});

afterAll(() => stack.stop());

async function refusal(projectId: string, body: unknown = { message: 'hello' }) {
  const response = await fetch(stack.chatUrl('/stream', { projectId }), post(body));
  expect(response.headers.get('content-type')).toContain('application/json');
  return { status: response.status, body: (await response.json()) as { message: string } };
}

async function config(baseUrl: string) {
  return stack.createModelConfig({ base_url: baseUrl, model: 'scripted' });
}

describe('before a stream is opened', () => {
  it('answers 400 while there is no model config', async () => {
    expect(await refusal(stack.lab.projectId)).toEqual({
      status: 400,
      body: { message: 'LLM configuration not found. Please configure your LLM settings first.' },
    });
  });

  it('answers 404 for an unknown project', async () => {
    const projectId = randomUUID();
    expect(await refusal(projectId)).toEqual({
      status: 404,
      body: { message: `Project ID ${projectId} doesn't exist` },
    });
  });

  it('answers 403 for a closed project', async () => {
    expect(await refusal(CLOSED_PROJECT)).toEqual({
      status: 403,
      body: { message: 'Project must be opened to use chat. Current status: closed' },
    });
  });

  it.each([
    ['a message that is no text', { message: 7 }, 'message'],
    ['a blank message', { message: '   ' }, 'message'],
    ['no message', {}, 'message'],
    ['another mode', { message: 'x', mode: 'voice' }, 'mode'],
  ])('E1: answers 422 for %s and names the field', async (_, body, field) => {
    const answer = await refusal(stack.lab.projectId, body);
    expect(answer.status).toBe(422);
    expect(answer.body.message).toContain(field);
  });

  it('E1: answers 422 for a project id that is no UUID', async () => {
    expect((await refusal('demo')).status).toBe(422);
  });
});

describe('while something is away', () => {
  it('a model that is not there: an error that says which and what to do, then done, and a failed run', async () => {
    await config('http://127.0.0.1:9/v1');
    const frames = await collect((await stack.chat('hello')).frames);
    expect(frames.map(({ data }) => data.type)).toEqual(['run', 'context', 'limits', 'error', 'done']);
    const [error] = ofType(frames, 'error');
    expect(error).toMatchObject({ code: 'model_unreachable' });
    expect(error?.error).toMatch(
      /'scripted' at http:\/\/127\.0\.0\.1:9\/v1 cannot be reached.*Check base_url/,
    );

    const run = await fetch(stack.chatUrl(`/runs/${String(frames[0]?.data.run_id)}`));
    expect(await run.json()).toMatchObject({
      status: 'failed',
      stop_reason: 'error',
      error: { code: 'model_unreachable' },
    });
  });

  it('a model that refuses the key: the form that the web UI reads', async () => {
    await config(stack.model.baseUrl);
    stack.model.play([{ status: 401, error: 'Incorrect API key provided' }]);
    const frames = await collect((await stack.chat('hello')).frames);
    expect(ofType(frames, 'error')[0]?.error).toMatch(
      /^Error code: 401 - \{'error': \{'message': 'Incorrect API key/,
    );
  });

  it('a GNS3 server that is not there: an error that says which and what to do, then done', async () => {
    await stack.demo.stop();
    const frames = await collect((await stack.chat('hello')).frames);
    expect(frames.map(({ data }) => data.type)).toEqual(['run', 'error', 'done']);
    const [error] = ofType(frames, 'error');
    expect(error).toMatchObject({ code: 'gns3_unreachable' });
    expect(error?.error).toContain(new URL(stack.lab.gns3Url).host);
    expect(error?.error).toContain('GNS3_URL');
  });
});
