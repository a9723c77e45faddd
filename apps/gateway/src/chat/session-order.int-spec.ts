import { randomUUID } from 'node:crypto';
import { createLogger } from '@copilot/observability';
import { RunsRepository } from '@copilot/persistence';
import { RunQueue } from '@copilot/queues';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { jsonRequest, TestGateway } from '../testing/test-gateway';

const logged: string[] = [];
let gateway: TestGateway;
let other: TestGateway;

beforeAll(async () => {
  const logger = createLogger('gateway', 'info', { write: (line) => void logged.push(line) });
  gateway = await TestGateway.start({ logger });
  other = await TestGateway.start({ beside: gateway });
  other.gns3.projects.set(gateway.projectId, 'opened');
  await gateway.configureModel();
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await other.stop();
  await gateway.stop();
});

type Body = Record<string, unknown>;

async function send(body: Body, { at = gateway, path = '/runs', key = String(randomUUID()) } = {}) {
  const { headers, ...rest } = jsonRequest('POST', { message: 'hello', ...body });
  const response = await fetch(at.chatUrl(path, gateway.projectId), {
    ...rest,
    headers: { ...headers, 'idempotency-key': key },
  });
  const answer = (await response.json()) as Body;
  return { status: response.status, body: answer, runId: String(answer.run_id) };
}

async function isCancelled(runId: string): Promise<boolean> {
  return (await gateway.app.get(RunsRepository).find(runId))?.cancelRequestedAt instanceof Date;
}

describe('multitask_strategy reject', () => {
  const reject = { multitask_strategy: 'reject' };

  it.each(['/runs', '/stream', '/inject'])('refuses a message to POST %s with 409', async (path) => {
    const session_id = randomUUID();
    const { runId } = await send({ session_id });
    const refused = await send({ session_id, ...reject }, { path });
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      message: expect.stringContaining(`Session '${session_id}' is busy: its run '${runId}' is queued.`),
    });
    expect(String(refused.body.message)).toContain(
      `POST /v3/projects/${gateway.projectId}/chat/runs/${runId}/cancel`,
    );
  });

  it('of many at once on two gateways accepts exactly one', async () => {
    const session_id = randomUUID();
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        send({ session_id, ...reject }, { at: n % 2 === 0 ? gateway : other }),
      ),
    );
    expect(all.map(({ status }) => status).toSorted()).toEqual([
      202,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    const accepted = all.find(({ status }) => status === 202);
    for (const { status, body } of all) {
      if (status === 409) expect(body.message).toContain(`run '${accepted?.runId}'`);
    }
  });

  it('gives a request that is sent again its own run, and another strategy under its key a 409', async () => {
    const [session_id, key] = [randomUUID(), randomUUID()];
    const { runId } = await send({ session_id, ...reject }, { key });
    const again = [
      send({ session_id, ...reject }, { key, at: other }),
      send({ session_id, ...reject }, { key }),
    ];
    for (const answer of await Promise.all(again)) expect(answer).toMatchObject({ status: 202, runId });
    const another = await send({ session_id }, { key });
    expect(another).toMatchObject({ status: 409, body: { message: expect.stringContaining(key) } });
  });
});

describe('multitask_strategy interrupt', () => {
  const interrupt = { multitask_strategy: 'interrupt' };

  it('has what is unfinished on the session ended, is next, and leaves later messages alone', async () => {
    const session_id = randomUUID();
    const [working, waiting] = [await send({ session_id }), await send({ session_id }, { at: other })];
    const elsewhere = await send({});
    await gateway.play(working.runId);
    const settleNow = jest.spyOn(gateway.app.get(RunQueue), 'settleNow');
    const next = await send({ session_id, ...interrupt });
    expect(next).toMatchObject({ status: 202, body: { queue_position: 2 } });
    const later = await send({ session_id }, { at: other });
    expect(later.body.queue_position).toBe(3);

    const ordered = settleNow.mock.calls.map(([runId]) => runId);
    expect(ordered.toSorted()).toEqual([working.runId, waiting.runId].toSorted());
    expect(await Promise.all([working, waiting].map(({ runId }) => isCancelled(runId)))).toEqual([
      true,
      true,
    ]);
    const untouched = [elsewhere, next, later];
    expect(await Promise.all(untouched.map(({ runId }) => isCancelled(runId)))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('is in the log as what has cancelled the others', async () => {
    const session_id = randomUUID();
    const { runId } = await send({ session_id });
    const next = await send({ session_id, ...interrupt });
    const lines = logged.map((line) => JSON.parse(line) as Body);
    expect(lines.filter((line) => line.runId === runId && line.msg === 'run is cancelled')).toEqual([
      expect.objectContaining({ source: 'interrupt', byRunId: next.runId }),
    ]);
  });

  it('sent again cancels nothing more, its own run least of all', async () => {
    const [session_id, key] = [randomUUID(), randomUUID()];
    const first = await send({ session_id, ...interrupt }, { key });
    const later = await send({ session_id });
    const again = await send({ session_id, ...interrupt }, { key, at: other });
    expect(again).toMatchObject({ status: 202, runId: first.runId });
    expect(await Promise.all([first, later].map(({ runId }) => isCancelled(runId)))).toEqual([false, false]);
  });

  it('that cannot be handed over says that the others are cancelled all the same', async () => {
    const session_id = randomUUID();
    const { runId } = await send({ session_id });
    const settleNow = jest.spyOn(gateway.app.get(RunQueue), 'settleNow');
    settleNow.mockRejectedValueOnce(new Error('Redis is away'));
    const refused = await send({ session_id, ...interrupt });
    expect(refused.status).toBe(503);
    expect(refused.body.message).toContain(
      'The message was not accepted; the runs that it was to interrupt are cancelled all the same. Try again',
    );
    expect(await isCancelled(runId)).toBe(true);
    const runs = await fetch(gateway.chatUrl(`/sessions/${session_id}/runs`));
    expect(await runs.json()).toMatchObject([{ run_id: runId }]);
  });
});
