import { randomUUID } from 'node:crypto';
import { NO_USAGE } from '@copilot/contracts';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, openStream } from '../../../../test/e2e/support/sse-client';
import type { PlayedAgent } from '../testing/played-agent';
import { jsonRequest, TestGateway } from '../testing/test-gateway';
import { until } from '../testing/until';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start();
  await gateway.configureModel();
});

afterAll(() => gateway.stop());

interface Session {
  readonly thread_id: string;
  readonly title: string;
  readonly pinned: boolean;
}

async function call(method: string, path: string, body?: unknown, projectId?: string) {
  const response = await fetch(
    gateway.chatUrl(path, projectId),
    body === undefined ? { method } : jsonRequest(method, body),
  );
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

const sessionPath = (sessionId: string, rest = '') => `/sessions/${encodeURIComponent(sessionId)}${rest}`;

async function list(query = '', projectId?: string): Promise<Session[]> {
  return (await call('GET', `/sessions${query}`, undefined, projectId)).body as Session[];
}

/** A message whose run is taken by the test. */
async function begin(sessionId: string, projectId?: string) {
  const stream = await openStream(
    gateway.chatUrl('/stream', projectId),
    jsonRequest('POST', { message: 'hello', session_id: sessionId }),
  );
  const { value: first } = await stream.frames.next();
  const runId = String(first?.data.run_id);
  return { stream, runId, agent: await gateway.play(runId) };
}

async function finished(sessionId: string, outcome: Parameters<PlayedAgent['finish']>[0] = {}) {
  const { stream, agent } = await begin(sessionId);
  await agent.finish(outcome);
  await collect(stream.frames);
  return agent;
}

describe('the list of sessions', () => {
  it('shows right after `done` what the run used and how it named the session', async () => {
    const sessionId = randomUUID();
    await finished(sessionId, {
      title: 'Routers',
      messages: 3,
      usage: { ...NO_USAGE, llm_calls: 2, input_tokens: 700, output_tokens: 50, total_tokens: 750 },
    });
    const row = (await list()).find(({ thread_id }) => thread_id === sessionId);
    expect(row).toEqual({
      id: expect.any(Number),
      thread_id: sessionId,
      user_id: '00000000-0000-4000-8000-000000000001',
      project_id: gateway.projectId,
      title: 'Routers',
      message_count: 3,
      llm_calls_count: 2,
      input_tokens: 700,
      output_tokens: 50,
      total_tokens: 750,
      last_message_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      created_at: expect.stringMatching(/\.\d{6}$/),
      updated_at: expect.stringMatching(/\.\d{6}$/),
      metadata: { copilot_mode: 'teaching_assistant' },
      stats: {},
      pinned: false,
    });
  });

  it('has pinned sessions first, then the one that changed last, in one project only', async () => {
    const projectId = randomUUID();
    gateway.gns3.projects.set(projectId, 'opened');
    for (const sessionId of ['a', 'b', 'c']) await begin(sessionId, projectId);
    await call('PATCH', sessionPath('b'), { title: 'newest' }, projectId);
    await call('PUT', sessionPath('a', '/pin'), undefined, projectId);
    expect((await list('', projectId)).map(({ thread_id }) => thread_id)).toEqual(['a', 'b', 'c']);
    expect((await list()).map(({ thread_id }) => thread_id)).not.toContain('a');
  });

  it('is filtered by the mode that a session began in', async () => {
    expect((await list('?copilot_mode=teaching_assistant')).length).toBeGreaterThan(0);
    expect(await list('?copilot_mode=troubleshooting_injection')).toEqual([]);
  });
});

describe('a title that a person chose', () => {
  it('survives later turns, and is the title of the history too', async () => {
    const sessionId = `lab/1 ä ${randomUUID()}`;
    await finished(sessionId, { title: 'Generated' });
    await expect(call('PATCH', sessionPath(sessionId), { title: 'Mine' })).resolves.toMatchObject({
      status: 200,
      body: { thread_id: sessionId, title: 'Mine' },
    });
    await finished(sessionId, { title: 'Generated again' });
    expect((await list()).find(({ thread_id }) => thread_id === sessionId)?.title).toBe('Mine');
    await expect(call('GET', sessionPath(sessionId, '/history'))).resolves.toMatchObject({
      body: { title: 'Mine' },
    });
  });

  it.each([[''], ['   '], ['x'.repeat(256)], [7]])('is refused with 422 when it is %j', async (title) => {
    await finished('titled');
    const answer = await call('PATCH', sessionPath('titled'), { title });
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringMatching(/^title must be/) } });
  });
});

describe('a pin', () => {
  it('is set with an empty PUT and taken off with a DELETE that answers with the session', async () => {
    await finished('pinned');
    const pin = sessionPath('pinned', '/pin');
    await expect(call('PUT', pin)).resolves.toMatchObject({ status: 200, body: { pinned: true } });
    await expect(call('PUT', pin, {})).resolves.toMatchObject({ status: 200, body: { pinned: true } });
    await expect(call('DELETE', pin)).resolves.toMatchObject({ status: 200, body: { pinned: false } });
  });

  it('is set with `null` as the body, as the web UI sends it', async () => {
    await finished('pinned');
    const response = await fetch(gateway.chatUrl(sessionPath('pinned', '/pin')), jsonRequest('PUT', null));
    expect(response.status).toBe(200);
  });
});

describe('a history', () => {
  it('is rebuilt from the checkpoint', async () => {
    const sessionId = randomUUID();
    const { agent, runId } = await begin(sessionId);
    await agent.callTools({
      callId: 'c1',
      iteration: 1,
      position: 0,
      name: 'device_skills',
      arguments: '{}',
      refusal: 'no',
    });
    await agent.remember(
      new HumanMessage({
        id: runId,
        content: 'hello',
        additional_kwargs: { created_at: '2026-01-01T00:00:00.000Z' },
      }),
      new AIMessage({
        id: 'a1',
        content: [
          { type: 'text', text: 'Let me ' },
          { type: 'text', text: 'look.' },
        ],
        tool_calls: [{ id: 'c1', name: 'device_skills', args: { action: 'list' }, type: 'tool_call' }],
      }),
      new ToolMessage({ id: `${runId}/c1`, tool_call_id: 'c1', name: 'device_skills', content: 'no' }),
    );
    const { status, body } = await call('GET', sessionPath(sessionId, '/history'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      thread_id: sessionId,
      title: 'New Conversation',
      created_at: null,
      updated_at: null,
      messages: [
        { id: runId, role: 'user', content: 'hello', tool_calls: null },
        {
          role: 'assistant',
          content: 'Let me look.',
          tool_calls: [{ id: 'c1', function: { name: 'device_skills', arguments: { action: 'list' } } }],
        },
        { role: 'tool', content: 'no', name: 'device_skills', tool_call_id: 'c1' },
      ],
    });
    await expect(call('GET', sessionPath(sessionId, '/history?limit=1'))).resolves.toMatchObject({
      body: { messages: [{ role: 'tool' }] },
    });
  });

  it('of an unknown session is empty, and no error', async () => {
    const { status, body } = await call('GET', sessionPath('nope', '/history'));
    expect(status).toBe(200);
    expect(body).toEqual({
      thread_id: 'nope',
      title: 'New Conversation',
      messages: [],
      created_at: null,
      updated_at: null,
      llm_calls: 0,
    });
  });

  it.each(['abc', '-1', '1.5', ''])('with limit=%s is a 422', async (limit) => {
    await expect(call('GET', sessionPath('s', `/history?limit=${limit}`))).resolves.toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^limit must be a whole number from 0 to/) },
    });
  });
});

describe('deleting a session', () => {
  it('leaves no row, no checkpoint and no event log behind', async () => {
    const sessionId = randomUUID();
    const agent = await finishedWithCheckpoint(sessionId);
    await expect(call('DELETE', sessionPath(sessionId))).resolves.toMatchObject({ status: 204, text: '' });

    expect(await tracesOf(agent.runId)).toEqual({ runs: 0, toolCalls: 0, checkpoints: 0, log: 0 });
    expect((await list()).map(({ thread_id }) => thread_id)).not.toContain(sessionId);
    await expect(call('DELETE', sessionPath(sessionId))).resolves.toMatchObject({
      status: 404,
      body: { message: `Session '${sessionId}' not found` },
    });
  });

  it('ends an unfinished run: its viewers get `done`, its worker can write nothing more', async () => {
    const sessionId = randomUUID();
    const { stream, agent, runId } = await begin(sessionId);
    await agent.say({ type: 'content', content: 'half an' });
    await expect(call('DELETE', sessionPath(sessionId))).resolves.toMatchObject({ status: 204 });

    const frames = await collect(stream.frames);
    expect(frames.at(-1)?.data).toMatchObject({ type: 'done', stop_reason: 'aborted' });
    await expect(agent.say({ type: 'content', content: ' answer' })).rejects.toThrow('the log has ended');
    await expect(agent.remember(new HumanMessage('late'))).rejects.toThrow('no longer holds it');
    await expect(agent.finish()).rejects.toThrow('no longer holds it');
    expect(await gateway.redis.ttl(`{run:${runId}}:events`)).toBeLessThanOrEqual(60);
    expect(await tracesOf(runId)).toMatchObject({ runs: 0, toolCalls: 0, checkpoints: 0 });
  });

  it('takes the runs that wait in line with it, and the id can be used anew', async () => {
    const sessionId = randomUUID();
    await begin(sessionId);
    const waiting = await openStream(
      gateway.chatUrl('/stream'),
      jsonRequest('POST', { message: 'second', session_id: sessionId }),
    );
    await call('DELETE', sessionPath(sessionId));
    expect((await collect(waiting.frames)).at(-1)?.data).toMatchObject({ type: 'done' });

    await finished(sessionId);
    expect((await list()).filter(({ thread_id }) => thread_id === sessionId)).toHaveLength(1);
  });
});

describe('aborting a session', () => {
  it('orders the end of what is unfinished on it', async () => {
    const sessionId = randomUUID();
    const { runId } = await begin(sessionId);
    await expect(call('POST', sessionPath(sessionId, '/abort'))).resolves.toMatchObject({
      status: 200,
      body: { status: 'ok', session_id: sessionId },
    });
    const { rows } = await gateway.connection.pool.query(
      'SELECT cancel_requested_at IS NOT NULL AS cancelled FROM runs WHERE run_id = $1',
      [runId],
    );
    expect(rows).toEqual([{ cancelled: true }]);
  });

  it('answers the same for one that is unknown', async () => {
    await expect(call('POST', sessionPath('nope', '/abort'))).resolves.toMatchObject({
      status: 200,
      body: { status: 'ok', session_id: 'nope' },
    });
  });
});

async function finishedWithCheckpoint(sessionId: string): Promise<PlayedAgent> {
  const { agent, stream } = await begin(sessionId);
  await agent.callTools({
    callId: 'c',
    iteration: 1,
    position: 0,
    name: 'x',
    arguments: '{}',
    refusal: 'no',
  });
  await agent.remember(new HumanMessage('hello'));
  await agent.finish();
  await collect(stream.frames);
  await until(async () => (await tracesOf(agent.runId)).checkpoints > 0);
  return agent;
}

async function tracesOf(runId: string) {
  const count = async (sql: string, values: unknown[]) =>
    Number(
      (await gateway.connection.pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${sql}`, values)).rows[0]
        ?.n,
    );
  return {
    runs: await count('runs WHERE run_id = $1', [runId]),
    toolCalls: await count('tool_calls WHERE run_id = $1', [runId]),
    // Of sessions that are not there any more, too.
    checkpoints: await count(
      `langgraph.checkpoints WHERE thread_id NOT IN (SELECT 'session-' || id FROM sessions)
       OR thread_id IN (SELECT 'session-' || session FROM runs WHERE run_id = $1)`,
      [runId],
    ),
    log: await gateway.redis.exists(`{run:${runId}}:events`),
  };
}
