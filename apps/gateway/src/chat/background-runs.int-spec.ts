import { randomUUID } from 'node:crypto';
import { RunQueue } from '@copilot/queues';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { collect, openStream, textOf } from '../../../../test/e2e/support/sse-client';
import { text } from '../testing/played-agent';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start();
  await gateway.configureModel();
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => gateway.stop());

type Body = Record<string, unknown>;

function request(body: Body, key?: string): RequestInit {
  const { headers, ...rest } = jsonRequest('POST', body);
  return { ...rest, headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) } };
}

async function start(body: Body, key?: string, path = '/runs') {
  const response = await fetch(gateway.chatUrl(path), request({ message: 'hello', ...body }, key));
  return {
    status: response.status,
    location: response.headers.get('location'),
    body: (await response.json()) as Body,
  };
}

async function read(path: string) {
  const response = await fetch(gateway.chatUrl(path));
  return { status: response.status, body: await response.json() };
}

async function finish(runId: unknown): Promise<void> {
  const agent = await gateway.play(String(runId));
  await agent.say(text('Here it is.'));
  await agent.finish({ status: 'completed', stopReason: 'completed' });
}

const runsOf = async (sessionId: unknown) =>
  (await read(`/sessions/${encodeURIComponent(String(sessionId))}/runs`)).body as Body[];

describe('a background run', () => {
  it('is accepted with 202 and a Location, where it can be read and followed', async () => {
    const { status, location, body } = await start({});
    expect(status).toBe(202);
    expect(body).toEqual({
      run_id: expect.any(String),
      session_id: expect.any(String),
      status: 'queued',
      queue_position: 0,
    });
    expect(location).toBe(`/v3/projects/${gateway.projectId}/chat/runs/${String(body.run_id)}`);
    await finish(body.run_id);
    const run = await (await fetch(`${gateway.url}${location}`)).json();
    expect(run).toMatchObject({ run_id: body.run_id, status: 'completed' });
    const { frames } = await openStream(`${gateway.url}${location}/events`);
    expect(textOf(await collect(frames))).toBe('Here it is.');
  });

  it('waits behind the one before it on its session, and both are listed, newest first', async () => {
    const session_id = 'two in a row';
    const [first, second] = [await start({ session_id }), await start({ session_id })];
    expect(second.body.queue_position).toBe(1);
    expect((await runsOf(session_id)).map(({ run_id }) => run_id)).toEqual([
      second.body.run_id,
      first.body.run_id,
    ]);
    expect((await read(`/sessions/${session_id}/runs?limit=1`)).body).toHaveLength(1);
    expect((await read('/sessions/nobody/runs')).status).toBe(404);
  });

  it('is refused as a stream is: bad fields, unknown projects', async () => {
    expect(await start({ max_iterations: 0 })).toMatchObject({ status: 422, location: null });
    const elsewhere = gateway.chatUrl('/runs', randomUUID());
    expect((await fetch(elsewhere, request({ message: 'hello' }))).status).toBe(404);
  });
});

describe('waiting for the end of a run', () => {
  it('answers as soon as it has ended', async () => {
    const { run_id } = (await start({})).body;
    const waited = read(`/runs/${String(run_id)}?wait=30`);
    await finish(run_id);
    expect((await waited).body).toMatchObject({ status: 'completed' });
    expect((await read(`/runs/${String(run_id)}?wait=30`)).body).toMatchObject({ status: 'completed' });
  });

  it('answers how it stands when the time is over', async () => {
    const { run_id } = (await start({})).body;
    expect((await read(`/runs/${String(run_id)}?wait=1`)).body).toMatchObject({ status: 'queued' });
  });

  it.each(['-1', '51', 'long'])('takes 0 to 50 seconds: %s is refused', async (seconds) => {
    expect(await read(`/runs/${randomUUID()}?wait=${seconds}`)).toMatchObject({
      status: 422,
      body: { message: `wait must be a whole number from 0 to 50, got "${seconds}"` },
    });
  });
});

describe('E6: a request with an Idempotency-Key', () => {
  it('sent again in mid-run and after the end is the same run, also as a stream', async () => {
    const [session_id, key] = ['sent twice', randomUUID()];
    const first = await start({ session_id }, key);
    expect(await start({ session_id }, key)).toMatchObject({
      status: 202,
      body: { run_id: first.body.run_id },
    });
    await finish(first.body.run_id);
    expect(await start({ session_id }, key)).toMatchObject({
      status: 202,
      body: { run_id: first.body.run_id, status: 'completed' },
    });
    const { frames } = await openStream(
      gateway.chatUrl('/stream'),
      request({ message: 'hello', session_id }, key),
    );
    const shown = await collect(frames);
    expect(shown[0]?.data.run_id).toBe(first.body.run_id);
    expect(textOf(shown)).toBe('Here it is.');
    const whole = await start({ session_id, stream: false }, key, '/stream');
    expect(whole.body).toMatchObject({ run_id: first.body.run_id, answer: 'Here it is.' });
    expect(await runsOf(session_id)).toHaveLength(1);
  });

  it('sent many times at once is one run', async () => {
    const [session_id, key] = ['sent at once', randomUUID()];
    const all = await Promise.all(Array.from({ length: 10 }, () => start({ session_id }, key)));
    expect(new Set(all.map(({ body }) => body.run_id)).size).toBe(1);
    expect(await runsOf(session_id)).toHaveLength(1);
  });

  it('without a session of its own makes one session', async () => {
    const key = randomUUID();
    const all = await Promise.all(Array.from({ length: 5 }, () => start({}, key)));
    expect(new Set(all.map(({ body }) => body.session_id)).size).toBe(1);
  });

  it('but another body is a 409, and nothing is run', async () => {
    const [session_id, key] = ['another body', randomUUID()];
    await start({ session_id }, key);
    expect(await start({ session_id, message: 'something else' }, key)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(key) },
    });
    expect(await start({ session_id, max_iterations: 3 }, key)).toMatchObject({ status: 409 });
    expect(await runsOf(session_id)).toHaveLength(1);
  });

  it('brings a run to life that was accepted and never enqueued', async () => {
    const key = randomUUID();
    const enqueue = jest.spyOn(gateway.app.get(RunQueue), 'enqueue').mockResolvedValueOnce(undefined);
    const { run_id } = (await start({}, key)).body;
    await start({}, key);
    expect(enqueue.mock.calls.map(([{ runId }]) => runId)).toEqual([run_id, run_id]);
    const shown = await openStream(gateway.chatUrl(`/runs/${String(run_id)}/events`));
    await finish(run_id);
    expect((await collect(shown.frames)).filter(({ data }) => data.type === 'run')).toHaveLength(1);
  });

  it('sent again while the queue is away is a 503, and its run stays for the next try', async () => {
    const [session_id, key] = ['queue away', randomUUID()];
    const { run_id } = (await start({ session_id }, key)).body;
    jest.spyOn(gateway.app.get(RunQueue), 'enqueue').mockRejectedValueOnce(new Error('Redis is away'));
    expect(await start({ session_id }, key)).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('Try again') },
    });
    expect(await start({ session_id }, key)).toMatchObject({ status: 202, body: { run_id } });
    expect(await runsOf(session_id)).toHaveLength(1);
  });

  it.each(['', 'two words', 'x'.repeat(201)])('is refused when the key cannot be one: %j', async (key) => {
    expect(await start({}, key)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('Idempotency-Key must be 1 to 200 printable') },
    });
  });
});
