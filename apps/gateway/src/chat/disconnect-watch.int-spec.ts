import { randomUUID } from 'node:crypto';
import { createLogger } from '@copilot/observability';
import { RunControlRepository, RunsRepository } from '@copilot/persistence';
import { RunQueue } from '@copilot/queues';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { collect, openStream } from '../../../../test/e2e/support/sse-client';
import { RunCancelling } from '../runs/run-cancelling';
import { DONE, text } from '../testing/played-agent';
import { rawRequest } from '../testing/raw-client';
import { jsonRequest, TestGateway } from '../testing/test-gateway';
import { until } from '../testing/until';

const logged: string[] = [];
let gateway: TestGateway;

beforeAll(async () => {
  const logger = createLogger('gateway', 'info', { write: (line) => void logged.push(line) });
  gateway = await TestGateway.start({ logger });
  await gateway.configureModel();
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => gateway.stop());

type Body = Record<string, unknown>;
const CANCEL = { on_disconnect: 'cancel' };

async function openChat(body: Body, { at = gateway, path = '/stream', key = String(randomUUID()) } = {}) {
  const { headers, ...rest } = jsonRequest('POST', { message: 'hello', ...body });
  const init = { ...rest, headers: { ...headers, 'idempotency-key': key } };
  const stream = await openStream(at.chatUrl(path), init);
  const { value: first } = await stream.frames.next();
  return { ...stream, runId: String(first?.data.run_id) };
}

/** A client that wants the whole answer at once, and the run that is made for it. */
async function askForWhole(body: Body, at = gateway) {
  const enqueued = enqueuedAt(at);
  const socket = await rawRequest(at.chatUrl('/stream'), {
    method: 'POST',
    body: { message: 'hello', stream: false, ...body },
  });
  await until(() => enqueued().length === 1);
  return { socket, runId: String(enqueued()[0]) };
}

function enqueuedAt(at: TestGateway): () => string[] {
  const enqueue = jest.spyOn(at.app.get(RunQueue), 'enqueue');
  return () => enqueue.mock.calls.map(([{ runId }]) => runId);
}

async function isCancelled(runId: string): Promise<boolean> {
  return (await gateway.app.get(RunsRepository).find(runId))?.cancelRequestedAt instanceof Date;
}

/** Resolves when the gateway has seen every client leave; what a cancel asks of it, it has asked by then. */
const allHaveLeft = (at = gateway) => until(() => at.openStreams.size === 0);

describe('a client that leaves before the answer is whole', () => {
  it.each(['/stream', '/inject'])('has its run cancelled by POST %s with cancel', async (path) => {
    const settleNow = jest.spyOn(gateway.app.get(RunQueue), 'settleNow');
    const chat = await openChat(CANCEL, { path });
    const agent = await gateway.play(chat.runId);
    await agent.say(text('half an '));
    chat.close();
    await until(() => settleNow.mock.calls.length === 1);
    expect(settleNow.mock.calls).toEqual([[chat.runId]]);
    expect(await isCancelled(chat.runId)).toBe(true);
    const lines = logged.map((line) => JSON.parse(line) as Body);
    expect(lines.filter((line) => line.runId === chat.runId && line.msg === 'run is cancelled')).toEqual([
      expect.objectContaining({ source: 'disconnect', level: 30 }),
    ]);
  });

  it.each([{}, { on_disconnect: 'continue' }, { on_disconnect: null }])(
    'has its run go on with %j',
    async (body) => {
      const order = jest.spyOn(gateway.app.get(RunCancelling), 'order');
      const chat = await openChat(body);
      chat.close();
      await allHaveLeft();
      expect(order).not.toHaveBeenCalled();
      const agent = await gateway.play(chat.runId);
      await agent.finish();
    },
  );

  it('hangs up on a whole answer with the same rule', async () => {
    const { socket, runId } = await askForWhole(CANCEL);
    socket.destroy();
    await until(() => isCancelled(runId));
    jest.restoreAllMocks();

    await until(() => gateway.wakes.size === 0);
    const order = jest.spyOn(gateway.app.get(RunCancelling), 'order');
    const patient = await askForWhole({});
    await until(() => gateway.wakes.size === 1);
    patient.socket.destroy();
    await until(() => gateway.wakes.size === 0);
    expect(order).not.toHaveBeenCalled();
    await (await gateway.play(patient.runId)).finish();
  });

  it('E3: and goes during set-up, has its run cancelled whenever that is', async () => {
    const enqueued = enqueuedAt(gateway);
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const body = { message: 'hi', ...CANCEL };
        const socket = await rawRequest(gateway.chatUrl('/stream'), { method: 'POST', body });
        for (let turns = 0; turns < n; turns += 1) await new Promise((resolve) => setImmediate(resolve));
        socket.destroy();
      }),
    );
    await until(async () => {
      const runIds = enqueued();
      return runIds.length === 20 && (await Promise.all(runIds.map(isCancelled))).every(Boolean);
    });
    expect([gateway.wakes.size, gateway.openStreams.size]).toEqual([0, 0]);
  });

  it('or takes nothing for so long that it is cut off, has its run cancelled', async () => {
    const strict = await TestGateway.start({
      beside: gateway,
      sseTimes: { heartbeatMs: 1_000, stallMs: 200 },
    });
    const enqueued = enqueuedAt(strict);
    const body = { message: 'hello', ...CANCEL };
    const socket = await rawRequest(strict.chatUrl('/stream'), { method: 'POST', body });
    await until(() => strict.openStreams.size === 1);
    const [runId = ''] = enqueued();
    const agent = await strict.play(runId);
    const megabyte = Array.from({ length: 16 }, () => text('x'.repeat(65_536)));
    for (let n = 0; n < 20; n += 1) await agent.say(...megabyte);
    await until(() => isCancelled(runId));
    socket.destroy();
    await strict.stop();
  });

  it('while Postgres is away, has its run cancelled when that is back', async () => {
    const requestCancel = jest.spyOn(gateway.app.get(RunControlRepository), 'requestCancel');
    requestCancel.mockRejectedValueOnce(new Error('Postgres is away'));
    const chat = await openChat(CANCEL);
    chat.close();
    await until(() => isCancelled(chat.runId));
    expect(requestCancel).toHaveBeenCalledTimes(2);
  });
});

describe('with on_disconnect cancel, a run is not cancelled', () => {
  it('by a client that closes at error or done, as the web UI does', async () => {
    const order = jest.spyOn(gateway.app.get(RunCancelling), 'order');
    const [failed, done] = [await openChat(CANCEL), await openChat(CANCEL)];
    const [failing, ending] = [await gateway.play(failed.runId), await gateway.play(done.runId)];
    await failing.finishUntold({ status: 'failed', stopReason: 'error' });
    await failing.say({ type: 'error', error: 'No model.', code: 'model_unreachable' });
    expect((await failed.frames.next()).value?.data.type).toBe('error');
    failed.close();
    await ending.finishUntold();
    await ending.say(DONE);
    expect((await done.frames.next()).value?.data.type).toBe('done');
    done.close();
    await allHaveLeft();
    await Promise.all(order.mock.results.map(({ value }) => value));
    expect([await isCancelled(failed.runId), await isCancelled(done.runId)]).toEqual([false, false]);
  });

  it('by a viewer that leaves: one that resumes, or the same request sent again', async () => {
    const order = jest.spyOn(gateway.app.get(RunCancelling), 'order');
    const key = randomUUID();
    const chat = await openChat(CANCEL, { key });
    const resumed = await openStream(gateway.chatUrl(`/runs/${chat.runId}/events`));
    await resumed.frames.next();
    resumed.close();
    const again = await openChat(CANCEL, { key });
    expect(again.runId).toBe(chat.runId);
    again.close();
    await until(() => gateway.openStreams.size === 1);
    expect(order).not.toHaveBeenCalled();
    const agent = await gateway.play(chat.runId);
    await agent.finish();
    expect((await collect(chat.frames)).at(-1)?.data.type).toBe('done');
  });

  it('by a gateway that cuts the stream after a fault', async () => {
    const order = jest.spyOn(gateway.app.get(RunCancelling), 'order');
    const chat = await openChat(CANCEL);
    await gateway.redis.xadd(`{run:${chat.runId}}:events`, '*', 'e', '{"type":"nonsense"}');
    await gateway.redis.publish(`{run:${chat.runId}}:wake`, 'now');
    await collect(chat.frames).catch(() => undefined);
    await allHaveLeft();
    expect(order).not.toHaveBeenCalled();
  });

  it('by a gateway that shuts down, whether it streams or waits for the whole answer', async () => {
    const leaving = await TestGateway.start({ beside: gateway });
    const order = jest.spyOn(leaving.app.get(RunCancelling), 'order');
    const chat = await openChat(CANCEL, { at: leaving });
    const whole = await askForWhole(CANCEL, leaving);
    await leaving.stop();
    expect(await collect(chat.frames)).toEqual([]);
    await until(() => whole.socket.destroyed);
    expect(order).not.toHaveBeenCalled();
    expect([await isCancelled(chat.runId), await isCancelled(whole.runId)]).toEqual([false, false]);
  }, 30_000);
});
