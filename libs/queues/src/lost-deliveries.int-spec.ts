import { randomUUID } from 'node:crypto';
import { QUEUES } from '@copilot/contracts';
import { connectPatient, type RedisClient } from '@copilot/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FlowProducer, Queue } from 'bullmq';
import { LostDeliveries, type DeliveredRun } from './lost-deliveries';
import { RunQueue } from './run-queue';

const prefix = `{test-${randomUUID()}}`;
let options: { connection: { url: string }; prefix: string };
let runs: Queue;
let toolCalls: Queue;
let redis: RedisClient;
let flows: FlowProducer;
let queue: RunQueue;
let lost: LostDeliveries;

beforeAll(() => {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('REDIS_URL is not set');
  options = { connection: { url }, prefix };
  runs = new Queue(QUEUES.runs, options);
  toolCalls = new Queue(QUEUES.toolCalls, options);
  redis = connectPatient(url, () => undefined);
  flows = new FlowProducer(options);
  queue = new RunQueue(runs);
  lost = new LostDeliveries(runs, toolCalls);
});

afterAll(async () => {
  await runs.obliterate({ force: true });
  await toolCalls.obliterate({ force: true });
  await Promise.all([runs.close(), toolCalls.close(), flows.close()]);
  redis.disconnect();
});

const newRun = (deadlineAt: Date | null = null): DeliveredRun => ({
  runId: randomUUID(),
  enqueueNumber: 1,
  deadlineAt,
});
const isAtRest = async (run: DeliveredRun) => (await lost.runsAtRest([run])).length === 1;
const call = ({ runId }: DeliveredRun, position = 0) => ({ runId, iteration: 1, position });

/** A run that waits for a lane of two calls: the first is the child of the second. */
async function waitingForTwoCalls(run: DeliveredRun): Promise<void> {
  const job = (position: number, children: object[] = []) => ({
    name: 'call',
    queueName: QUEUES.toolCalls,
    opts: { jobId: `${run.runId}-1-${position}` },
    children: children as never[],
  });
  await flows.add({
    name: 'run',
    queueName: QUEUES.runs,
    opts: { jobId: `${run.runId}-1` },
    children: [job(1, [job(0)])],
  });
}

/** Ids in the lists of the states, whether a job is behind them or not. */
async function idsIn({ name }: Queue): Promise<string[]> {
  const key = `${prefix}:${name}`;
  const [waiting, parents] = await Promise.all([
    redis.lrange(`${key}:wait`, 0, -1),
    redis.zrange(`${key}:waiting-children`, '0', '-1'),
  ]);
  return [...waiting, ...parents];
}

const of = ({ runId }: DeliveredRun): unknown => expect.stringContaining(runId);

/** As if Redis had lost the job's own key. */
async function lose({ name }: Queue, jobId: string): Promise<void> {
  await redis.del(`${prefix}:${name}:${jobId}`);
}

describe('a run', () => {
  it('is at rest when the queue does not know it, or only under an older number', async () => {
    const run = newRun();
    expect(await isAtRest(run)).toBe(true);
    await queue.enqueue(run);
    expect(await isAtRest(run)).toBe(false);
    expect(await isAtRest({ ...run, enqueueNumber: 2 })).toBe(true);
  });

  it('is told apart from others in one question', async () => {
    const [known, unknown] = [newRun(), newRun()];
    await queue.enqueue(known);
    expect(await lost.runsAtRest([known, unknown])).toEqual([unknown]);
  });

  it('is at rest while it waits for its calls: they have to be asked', async () => {
    const run = newRun();
    await waitingForTwoCalls(run);
    expect(await isAtRest(run)).toBe(true);
  });

  it('is not at rest while it is being ended', async () => {
    const run = newRun();
    await queue.settleNow(run.runId);
    expect(await isAtRest(run)).toBe(false);
  });

  it('is at rest although its deadline lies ready, until that has struck', async () => {
    const run = newRun(new Date(Date.now() + 60_000));
    if (!run.deadlineAt) throw new Error('it has a deadline');
    await queue.settleAfter(run.runId, run.deadlineAt, 60_000);
    expect(await isAtRest(run)).toBe(true);
    await (await runs.getJob(`${run.runId}-deadline-${run.deadlineAt.getTime()}`))?.promote();
    expect(await isAtRest(run)).toBe(false);
  });
});

describe('a tool call', () => {
  it('is at rest when it is unknown, or waits for one before it that is', async () => {
    const run = newRun();
    await waitingForTwoCalls(run);
    const both = [call(run, 0), call(run, 1)];
    expect(await lost.callsAtRest(both)).toEqual([call(run, 1)]);
    await (await toolCalls.getJob(`${run.runId}-1-0`))?.remove();
    expect(await lost.callsAtRest([call(run, 0)])).toEqual([call(run, 0)]);
    expect(await lost.callsAtRest([call(newRun())])).toHaveLength(1);
  });
});

describe('what is left of a lost run', () => {
  it.each([
    ['whole', async () => undefined],
    ['without its first call', (run: DeliveredRun) => lose(toolCalls, `${run.runId}-1-0`)],
    ['without its last call', (run: DeliveredRun) => lose(toolCalls, `${run.runId}-1-1`)],
    ['without its own job', (run: DeliveredRun) => lose(runs, `${run.runId}-1`)],
  ])('is removed when it is there %s', async (_what, damage) => {
    const run = newRun();
    await waitingForTwoCalls(run);
    await damage(run);
    await lost.clear(run, [call(run, 0), call(run, 1)]);
    expect(await runs.getJob(`${run.runId}-1`)).toBeUndefined();
    for (const position of [0, 1]) {
      expect(await toolCalls.getJob(`${run.runId}-1-${position}`)).toBeUndefined();
    }
    expect(await redis.keys(`${prefix}:*${run.runId}*`)).toEqual([]);
    for (const each of [runs, toolCalls]) expect(await idsIn(each)).not.toContainEqual(of(run));
  });
});
