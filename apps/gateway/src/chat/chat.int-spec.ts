import { randomUUID } from 'node:crypto';
import { RunsRepository } from '@copilot/persistence';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, openStream, textOf } from '../../../../test/e2e/support/sse-client';
import { DONE, text } from '../testing/played-agent';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start();
});

afterAll(() => gateway.stop());

async function post(body: unknown, projectId: string = gateway.projectId) {
  const response = await fetch(gateway.chatUrl('/stream', projectId), jsonRequest('POST', body));
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() };
}

async function openChat(body: object, url = gateway.chatUrl('/stream')) {
  const stream = await openStream(url, jsonRequest('POST', { message: 'hello', ...body }));
  const { value: first } = await stream.frames.next();
  return { ...stream, first, runId: String(first?.data.run_id) };
}

describe('before a user has a model config', () => {
  it('a message is refused with 400 and the text that the web UI shows', async () => {
    await expect(post({ message: 'hello' })).resolves.toMatchObject({
      status: 400,
      body: { message: 'LLM configuration not found. Please configure your LLM settings first.' },
    });
  });
});

describe('with a model config', () => {
  beforeAll(() => gateway.configureModel());

  describe('E1: what is refused is plain JSON and never a stream', () => {
    it.each([
      ['no message', {}, 'message must be a text that is not blank'],
      ['a blank message', { message: ' \n\t' }, 'message must be a text that is not blank'],
      ['a message that is too long', { message: 'x'.repeat(200_001) }, '1 to 200000 characters'],
      ['another mode', { message: 'a', mode: 'voice' }, 'mode must be "text", got "voice"'],
      [
        'a stream that is no boolean',
        { message: 'a', stream: 'no' },
        'stream must be true or false, got "no"',
      ],
      ['a session id with NUL', { message: 'a', session_id: 'a\0b' }, 'session_id must be a text'],
    ])('%s: 422', async (_what, body, message) => {
      const answer = await post(body);
      expect(answer).toMatchObject({ status: 422, type: 'application/json; charset=utf-8' });
      expect(answer.body).toEqual({ message: expect.stringContaining(message) });
    });

    it.each([
      ['a body that is no JSON', '{"message":', 422, 'cannot be read'],
      ['a body that is no object', '["hello"]', 422, 'object'],
      ['a body nested too deep', `{"message":"a","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 422, 'deep'],
      ['a body over 1 MB', `{"message":"${'x'.repeat(1_050_000)}"}`, 413, 'at most 1 MB'],
    ])('%s', async (_what, body, status, words) => {
      const response = await fetch(gateway.chatUrl('/stream'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ message: expect.stringContaining(words) });
    });

    it('a project id that is no UUID: 422', async () => {
      await expect(post({ message: 'a' }, 'lab-1')).resolves.toMatchObject({
        status: 422,
        body: { message: 'project_id must be a UUID, got "lab-1"' },
      });
    });

    it('an unknown project: 404', async () => {
      const projectId = randomUUID();
      await expect(post({ message: 'a' }, projectId)).resolves.toMatchObject({
        status: 404,
        body: { message: `Project ID ${projectId} doesn't exist` },
      });
    });

    it('a closed project: 403', async () => {
      const projectId = randomUUID();
      gateway.gns3.projects.set(projectId, 'closed');
      await expect(post({ message: 'a' }, projectId)).resolves.toMatchObject({
        status: 403,
        body: { message: 'Project must be opened to use chat. Current status: closed' },
      });
    });

    it('an unknown route: 404 with `detail`', async () => {
      const response = await fetch(`${gateway.url}/v3/nothing`);
      expect([response.status, await response.json()]).toEqual([404, { detail: 'Not Found' }]);
    });
  });

  it('streams a run under both spellings of the path, first `run`, last `done`, ids on every frame', async () => {
    for (const prefix of ['/v3/projects', '/v3/copilot/projects']) {
      const chat = await openChat({}, `${gateway.url}${prefix}/${gateway.projectId}/chat/stream`);
      expect(Object.fromEntries(chat.response.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        connection: 'keep-alive',
      });
      const agent = await gateway.play(chat.runId);
      await agent.say(text('hi'), DONE);
      const frames = [chat.first, ...(await collect(chat.frames))];
      expect(frames.map((frame) => frame?.data.type)).toEqual(['run', 'content', 'done']);
      const ids = frames.map((frame) => [frame?.data.session_id, frame?.data.run_id]);
      expect(new Set(ids.map(String)).size).toBe(1);
    }
  });

  it.each([
    ['', 'Inject a network fault for troubleshooting practice'],
    ['Inject 2 network faults', 'Inject 2 network faults'],
  ])('a request for faults with the message %j is a run in the mode for that', async (message, stored) => {
    const { runId, first } = await openChat({ message }, gateway.chatUrl('/inject'));
    expect(first?.data).toMatchObject({ type: 'run' });
    expect(await gateway.app.get(RunsRepository).find(runId)).toMatchObject({
      message: stored,
      copilotMode: 'troubleshooting_injection',
    });
  });

  it('a request for faults in a closed project says what it would have to be opened for', async () => {
    const closed = randomUUID();
    gateway.gns3.projects.set(closed, 'closed');
    const response = await fetch(gateway.chatUrl('/inject', closed), jsonRequest('POST', { message: '' }));
    expect([response.status, await response.json()]).toEqual([
      403,
      { message: 'Project must be opened to use fault injection. Current status: closed' },
    ]);
  });

  it('puts a second message of a session behind the first', async () => {
    const session_id = randomUUID();
    const first = await openChat({ session_id });
    const second = await openChat({ session_id });
    expect([first.first?.data.queue_position, second.first?.data.queue_position]).toEqual([0, 1]);
    first.close();
    second.close();
  });

  it.each([
    ['with a colon', 'user:42'],
    ['that is a number', '123'],
    ['with spaces', 'with some spaces'],
    ['of 300 letters', 'ж'.repeat(300)],
    ['of 300 emoji', '😀'.repeat(300)],
  ])('D4: takes a session id %s as it is', async (_what, session_id) => {
    const chat = await openChat({ session_id });
    expect(chat.first?.data.session_id).toBe(session_id);
    chat.close();
  });

  it('D4: refuses a session id of 301 characters', async () => {
    await expect(post({ message: 'a', session_id: 'x'.repeat(301) })).resolves.toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('1 to 300 characters') },
    });
  });

  it('E8: what was said arrives byte for byte', async () => {
    const said = [
      '\n\n',
      ' x',
      'x\n',
      '\r',
      '\r\n',
      '\u2028',
      '\u2029\u0085',
      'data: y',
      '\n\ndata: z\n\n',
      '😀é',
    ];
    const chat = await openChat({});
    const agent = await gateway.play(chat.runId);
    await agent.say(...said.map(text), DONE);
    expect(textOf(await collect(chat.frames))).toBe(said.join(''));
  });

  it('accepts a message while GNS3 cannot be reached: the run says what is wrong', async () => {
    const lonely = await TestGateway.start({ settings: { GNS3_URL: 'http://127.0.0.1:1' } });
    try {
      await lonely.configureModel();
      const stream = await openStream(lonely.chatUrl('/stream'), jsonRequest('POST', { message: 'hello' }));
      expect((await stream.frames.next()).value?.data.type).toBe('run');
      stream.close();
    } finally {
      await lonely.stop();
    }
  });

  it('asks GNS3 once for a burst of messages', async () => {
    const projectId = randomUUID();
    gateway.gns3.projects.set(projectId, 'closed');
    const before = gateway.gns3.projectReads;
    await Promise.all(Array.from({ length: 20 }, () => post({ message: 'a' }, projectId)));
    expect(gateway.gns3.projectReads).toBe(before + 1);
  });
});
