import { randomUUID } from 'node:crypto';
import { NO_USAGE } from '@copilot/contracts';
import { RunQueue } from '@copilot/queues';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { text } from '../testing/played-agent';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start();
  await gateway.configureModel();
});

afterAll(() => gateway.stop());

async function post(body: object) {
  const response = await fetch(gateway.chatUrl('/stream'), jsonRequest('POST', { ...body, stream: false }));
  return { status: response.status, body: await response.json() };
}

/** The id of the run that is enqueued next. */
function nextRun(): Promise<string> {
  const queue = gateway.app.get(RunQueue);
  const enqueue = queue.enqueue.bind(queue);
  return new Promise((resolve) => {
    jest.spyOn(queue, 'enqueue').mockImplementationOnce(async (run) => {
      await enqueue(run);
      resolve(run.runId);
    });
  });
}

describe('a message with stream: false', () => {
  it('is answered with one JSON when the run has ended', async () => {
    const session_id = randomUUID();
    const enqueued = nextRun();
    const answering = post({ message: 'which?', session_id });
    const runId = await enqueued;
    const agent = await gateway.play(runId);
    const call = { callId: 'c1', iteration: 1, position: 0, name: 'gns3_topology_reader', arguments: '{}' };
    await agent.callTools({ ...call, refusal: 'not now' });
    await agent.say(text('Let me look. '), {
      type: 'tool_call',
      tool_call_id: 'c1',
      name: call.name,
      arguments_delta: '{}',
      complete: true,
    });
    await agent.say(text('R1 '), text('is up.'));
    await agent.finish();
    await expect(answering).resolves.toMatchObject({
      status: 200,
      body: {
        session_id,
        run_id: runId,
        answer: 'R1 is up.',
        tool_calls: [{ id: 'c1', name: 'gns3_topology_reader', arguments: '{}', output: 'not now' }],
        stop_reason: 'completed',
        usage: NO_USAGE,
      },
    });
  });

  it('says why the run failed', async () => {
    const enqueued = nextRun();
    const answering = post({ message: 'which?' });
    const agent = await gateway.play(await enqueued);
    await agent.say({ type: 'error', error: 'No model there.', code: 'model_unreachable' });
    await agent.finish({
      status: 'failed',
      stopReason: 'error',
      error: { code: 'model_unreachable', message: 'No model there.' },
    });
    await expect(answering).resolves.toMatchObject({
      status: 200,
      body: {
        answer: '',
        stop_reason: 'error',
        error: { code: 'model_unreachable', message: 'No model there.' },
      },
    });
  });

  it('is answered from the conversation when the events were lost on the way', async () => {
    const enqueued = nextRun();
    const answering = post({ message: 'which?' });
    const runId = await enqueued;
    const agent = await gateway.play(runId);
    await agent.say(text('R1 '));
    await agent.remember(new HumanMessage({ id: runId, content: 'which?' }), new AIMessage('R1 is up.'));
    await agent.finishUntold();
    await gateway.redis.del(`{run:${runId}}:events`, `{run:${runId}}:fences`);
    await expect(answering).resolves.toMatchObject({
      status: 200,
      body: { answer: 'R1 is up.', stop_reason: 'completed' },
    });
  });
});
