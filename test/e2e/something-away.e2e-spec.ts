import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, ofType } from './support/sse-client';
import { Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ withoutModelConfig: true });
});

afterAll(() => stack.stop());

describe('while something is away', () => {
  it('a model that is not there: an error that says which and what to do, then done, and a failed run', async () => {
    await stack.createModelConfig({ base_url: 'http://127.0.0.1:9/v1', model: 'scripted' });
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
