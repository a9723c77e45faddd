import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Stack } from '../e2e/support/stack';
import { call, CHAT_SPELLINGS, WireChat } from './support/wire';

/** The demo lab has it, and it is never opened. */
const CLOSED_PROJECT = '22222222-2222-4222-8222-222222222222';

/** Every route of the contract's chat, and what a project would have to be opened for. */
const ROUTES: readonly [method: string, path: string, purpose: string, body: unknown][] = [
  ['POST', '/stream', 'use chat', { message: 'hello' }],
  ['POST', '/inject', 'use fault injection', { message: '' }],
  ['GET', '/sessions', 'access chat sessions', undefined],
  ['GET', '/sessions/x/history', 'access chat history', undefined],
  ['DELETE', '/sessions/x', 'delete chat sessions', undefined],
  ['POST', '/sessions/x/abort', 'abort chat session', undefined],
  ['PATCH', '/sessions/x', 'rename chat sessions', { title: 'x' }],
  ['PUT', '/sessions/x/pin', 'pin chat sessions', undefined],
  ['DELETE', '/sessions/x/pin', 'unpin chat sessions', undefined],
];

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ withoutModelConfig: true });
});

afterAll(() => stack.stop());

describe.each(CHAT_SPELLINGS)('under the path %s', (_of, prefix) => {
  const chat = (projectId?: string) => new WireChat(stack, prefix, projectId);

  it.each(ROUTES)('%s %s: 403 in a project that is closed (to %s)', async (method, path, purpose, body) => {
    expect(await chat(CLOSED_PROJECT).call(method, path, body)).toEqual({
      status: 403,
      body: { message: `Project must be opened to ${purpose}. Current status: closed` },
    });
  });

  it.each(ROUTES)('%s %s: 404 in a project that does not exist', async (method, path, _purpose, body) => {
    const projectId = randomUUID();
    expect(await chat(projectId).call(method, path, body)).toEqual({
      status: 404,
      body: { message: `Project ID ${projectId} doesn't exist` },
    });
  });

  it.each(ROUTES)('%s %s: 422 where the project id is no UUID', async (method, path, _purpose, body) => {
    expect(await chat('demo').call(method, path, body)).toEqual({
      status: 422,
      body: { message: expect.stringContaining('project_id') },
    });
  });

  it.each(['/stream', '/inject'])('POST %s: 400 while there is no model config', async (path) => {
    expect(await chat().call('POST', path, { message: 'hello' })).toEqual({
      status: 400,
      body: { message: 'LLM configuration not found. Please configure your LLM settings first.' },
    });
  });

  it.each([
    ['/stream', 'no message', {}, 'message'],
    ['/stream', 'a message that is no text', { message: 7 }, 'message'],
    // The reference takes it; a provider would not.
    ['/stream', 'a blank message', { message: ' \n' }, 'message'],
    ['/stream', 'another mode', { message: 'x', mode: 'voice' }, 'mode'],
    ['/stream', 'a session id that is no text', { message: 'x', session_id: 7 }, 'session_id'],
    ['/inject', 'no message', {}, 'message'],
    ['/inject', 'another mode', { message: 'x', mode: 'voice' }, 'mode'],
  ])('E1: POST %s: 422 in JSON, not a stream, for %s', async (path, _what, body, field) => {
    expect(await chat().call('POST', path, body)).toEqual({
      status: 422,
      body: { message: expect.stringContaining(field) },
    });
  });

  it('E1: a body that is no JSON is a 422 as well', async () => {
    const response = await fetch(`${chat().base}/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"message":',
    });
    expect([response.status, await response.json()]).toEqual([422, { message: expect.any(String) }]);
  });
});

describe('a route that does not exist', () => {
  it.each(['/v3/nothing', '/nothing'])('%s is a 404 with `detail`, unlike all others', async (path) => {
    expect(await call('GET', stack.url(path))).toEqual({ status: 404, body: { detail: 'Not Found' } });
  });
});
