import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, ofType, openStream, textOf, type Frame } from '../../../../test/e2e/support/sse-client';
import { NO_USAGE } from '@copilot/contracts';
import { RunEventWriter } from '@copilot/events';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { DONE, part, text } from '../testing/played-agent';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start();
  await gateway.configureModel();
});

afterAll(() => gateway.stop());

/** An accepted run whose first viewer has left. */
async function newRun(body: object = {}): Promise<string> {
  const url = gateway.chatUrl('/stream');
  const stream = await openStream(url, jsonRequest('POST', { message: 'hello', ...body }));
  const { value } = await stream.frames.next();
  stream.close();
  return String(value?.data.run_id);
}

async function frames(runId: string, lastEventId?: string): Promise<Frame[]> {
  const init = lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } };
  const { frames: coming } = await openStream(gateway.chatUrl(`/runs/${runId}/events`), init);
  return collect(coming);
}

const calls = (shown: readonly Frame[]) =>
  ofType(shown, 'tool_call').map(({ tool_call }) => tool_call as { id: string; function: object });

describe('the events of a run', () => {
  it('E5: are all there for a client that comes after a very short run', async () => {
    const runId = await newRun();
    const agent = await gateway.play(runId);
    await agent.say(text('a'), text('b'));
    await agent.finish();
    const shown = await frames(runId);
    expect(shown.map(({ data }) => data.type)).toEqual(['run', 'content', 'content', 'done']);
    expect(textOf(shown)).toBe('ab');
  });

  it('E3: go on without their viewer, who can come back to them', async () => {
    const runId = await newRun();
    const coming = frames(runId);
    const agent = await gateway.play(runId);
    await agent.say(text('still here'), DONE);
    expect(textOf(await coming)).toBe('still here');
  });

  it('are continued after the last id, each once and in order, however often a client comes back', async () => {
    const runId = await newRun();
    const agent = await gateway.play(runId);
    const said = Array.from({ length: 40 }, (_, n) => `${n} `);
    await agent.say(...said.map(text), DONE);
    const all = await frames(runId);
    for (const [index, { id }] of all.entries()) {
      expect(await frames(runId, id)).toEqual(all.slice(index + 1));
    }
  });

  it('have the whole arguments so far, also for a client that comes back in the middle of a call', async () => {
    const runId = await newRun();
    const agent = await gateway.play(runId);
    await agent.say(part('a', ''), part('b', '{"x'), part('a', '{"pro'), part('a', 'ject'));
    await agent.say(part('b', '":1}'), part('b', '', true), part('a', '":2}', true), DONE);
    const all = await frames(runId);
    expect(calls(all).map((call) => call.function)).toEqual([
      { name: 'gns3_topology_reader', arguments: '' },
      { name: 'gns3_topology_reader', arguments: '{"x' },
      { name: 'gns3_topology_reader', arguments: '{"pro' },
      { name: 'gns3_topology_reader', arguments: '{"project' },
      { name: 'gns3_topology_reader', arguments: '{"x":1}' },
      { name: 'gns3_topology_reader', arguments: '{"x":1}', complete: true },
      { name: 'gns3_topology_reader', arguments: '{"project":2}', complete: true },
    ]);
    for (const [index, { id }] of all.entries()) {
      expect(await frames(runId, id)).toEqual(all.slice(index + 1));
    }
  });

  it('take the last id from the query too, for browsers', async () => {
    const runId = await newRun();
    const agent = await gateway.play(runId);
    await agent.say(text('a'), DONE);
    const [first, ...rest] = await frames(runId);
    const url = gateway.chatUrl(`/runs/${runId}/events?last_event_id=${first?.id}`);
    expect(await collect((await openStream(url)).frames)).toEqual(rest);
  });

  it.each([
    ['malformed', 'not-a-cursor'],
    ['of another run', '1-1'],
    ['of the future', '999999999999999-0'],
  ])('are replayed from the start for an id that is %s', async (_what, id) => {
    const runId = await newRun();
    const agent = await gateway.play(runId);
    await agent.say(text('a'), DONE);
    expect(await frames(runId, id)).toEqual(await frames(runId));
  });

  it('are an empty stream after the last id', async () => {
    const runId = await newRun();
    const agent = await gateway.play(runId);
    await agent.say(DONE);
    const last = (await frames(runId)).at(-1);
    expect(await frames(runId, last?.id)).toEqual([]);
  });

  const ANSWER = 'Both are up.';

  /** A run that called a tool and answered, its log included; the log is left to the test. */
  async function endedRun(): Promise<string> {
    const runId = await newRun();
    const agent = await gateway.play(runId);
    const call = {
      callId: 'c1',
      iteration: 1,
      position: 0,
      name: 'gns3_topology_reader',
      arguments: '{"a": 1}',
    };
    await agent.callTools({ ...call, refusal: 'not now' });
    await agent.remember(
      new HumanMessage({ id: randomUUID(), content: 'before' }),
      new AIMessage('an older answer'),
      new HumanMessage({ id: runId, content: 'hello' }),
      new AIMessage({ content: 'Let me look.', tool_calls: [{ id: 'c1', name: call.name, args: { a: 1 } }] }),
      new ToolMessage({ tool_call_id: 'c1', content: 'not now' }),
      new AIMessage(ANSWER),
      new HumanMessage({ id: randomUUID(), content: 'after' }),
      new AIMessage('a newer answer'),
    );
    await agent.say(text(ANSWER));
    await agent.finish({ usage: { ...NO_USAGE, llm_calls: 2 } });
    return runId;
  }

  const loseLog = (runId: string) => gateway.redis.del(`{run:${runId}}:events`, `{run:${runId}}:fences`);

  const RETOLD = [
    { type: 'run', queue_position: 0 },
    { type: 'content', content: 'Let me look.' },
    {
      type: 'tool_call',
      tool_call: {
        id: 'c1',
        function: { name: 'gns3_topology_reader', arguments: '{"a": 1}', complete: true },
      },
    },
    { type: 'tool_end', tool_call_id: 'c1', tool_output: 'not now' },
    { type: 'content', content: ANSWER },
    { type: 'done', stop_reason: 'completed', usage: { llm_calls: 2 } },
  ];

  it('are told from the rows and the conversation when the log of an ended run has expired', async () => {
    const runId = await endedRun();
    const known = (await frames(runId)).at(-1)?.id;
    await loseLog(runId);
    const shown = await frames(runId);
    expect(shown.map(({ data }) => data)).toMatchObject(RETOLD);
    expect(shown.every(({ id, data }) => id === undefined && data.run_id === runId)).toBe(true);
    expect(await frames(runId, known)).toEqual(shown);
  });

  it('are told from the rows too when the log has lost its beginning', async () => {
    const runId = await endedRun();
    await loseLog(runId);
    await new RunEventWriter(gateway.redis, runId, { writer: 'end', attempt: 0 }, 60).append(DONE);
    expect((await frames(runId)).map(({ data }) => data)).toMatchObject(RETOLD);
  });

  it('are the end alone for a run that failed before its first step, its log gone', async () => {
    const runId = await newRun();
    const agent = await gateway.play(runId);
    await agent.finish({
      status: 'failed',
      stopReason: 'error',
      error: { code: 'gns3_unreachable', message: 'No GNS3.' },
    });
    await loseLog(runId);
    expect((await frames(runId)).map(({ data }) => data)).toMatchObject([
      { type: 'run', run_id: runId },
      { type: 'error', error: 'No GNS3.', code: 'gns3_unreachable', run_id: runId },
      { type: 'done', stop_reason: 'error', run_id: runId },
    ]);
  });

  it('go on for a viewer whose log was lost, when the run goes on', async () => {
    const runId = await newRun();
    const { frames: coming } = await openStream(gateway.chatUrl(`/runs/${runId}/events`));
    await coming.next();
    await loseLog(runId);
    const agent = await gateway.play(runId);
    await agent.say(text('still here'), DONE);
    expect((await collect(coming)).map(({ data }) => data.type)).toEqual(['content', 'done']);
  });

  it('begin with `run` for who comes while a run goes on whose log was lost', async () => {
    const runId = await newRun();
    await loseLog(runId);
    const agent = await gateway.play(runId);
    await agent.say(text('still here'));
    const { frames: coming } = await openStream(gateway.chatUrl(`/runs/${runId}/events`));
    expect((await coming.next()).value?.data).toMatchObject({ type: 'run', run_id: runId });
    await agent.say(DONE);
    expect((await collect(coming)).map(({ data }) => data.type)).toEqual(['content', 'done']);
  });

  it('end for a viewer of a run that ended while its log was lost', async () => {
    const runId = await newRun();
    const { frames: coming } = await openStream(gateway.chatUrl(`/runs/${runId}/events`));
    await coming.next();
    const agent = await gateway.play(runId);
    await agent.finishUntold({ status: 'cancelled', stopReason: 'aborted' });
    await loseLog(runId);
    const rest = await collect(coming);
    expect(rest.map(({ data }) => data)).toMatchObject([
      { type: 'abort' },
      { type: 'done', stop_reason: 'aborted' },
    ]);
  });
});

describe('a run', () => {
  const read = async (path: string) => {
    const response = await fetch(gateway.chatUrl(path));
    return { status: response.status, body: await response.json() };
  };

  it('is shown as it stands: queued, waiting in line, ended', async () => {
    const session_id = randomUUID();
    const runId = await newRun({ session_id });
    const behind = await newRun({ session_id });
    await expect(read(`/runs/${runId}`)).resolves.toMatchObject({
      status: 200,
      body: { run_id: runId, session_id, project_id: gateway.projectId, status: 'queued', queue_position: 0 },
    });
    await expect(read(`/runs/${behind}`)).resolves.toMatchObject({ body: { queue_position: 1 } });
    const agent = await gateway.play(runId);
    await agent.callTools({
      callId: 'c',
      iteration: 1,
      position: 0,
      name: 'x',
      arguments: '{}',
      refusal: 'no',
    });
    await agent.finish({
      status: 'failed',
      stopReason: 'error',
      error: { code: 'internal_error', message: 'Oh.' },
    });
    const { body } = await read(`/runs/${runId}`);
    expect(body).toMatchObject({
      status: 'failed',
      attempt: 1,
      stop_reason: 'error',
      error: { code: 'internal_error', message: 'Oh.' },
      tool_calls: [{ id: 'c', name: 'x', status: 'refused', iteration: 1 }],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      queue_position: null,
    });
  });

  it.each(['', '/events'])('that does not exist or is of another project is not found: %s', async (path) => {
    const unknown = randomUUID();
    const notFound = { status: 404, body: { message: `Run '${unknown}' not found` } };
    await expect(read(`/runs/${unknown}${path}`)).resolves.toEqual(notFound);
    const runId = await newRun();
    const elsewhere = await fetch(gateway.chatUrl(`/runs/${runId}${path}`, randomUUID()));
    expect([elsewhere.status, await elsewhere.json()]).toEqual([
      404,
      { message: `Run '${runId}' not found` },
    ]);
  });

  it('has a UUID', async () => {
    await expect(read('/runs/7')).resolves.toEqual({
      status: 422,
      body: { message: 'run_id must be a UUID, got "7"' },
    });
  });
});
