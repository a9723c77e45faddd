import { randomUUID } from 'node:crypto';
import { QUEUES } from '@copilot/contracts';
import {
  connect,
  migrate,
  RunIntake,
  RunReapingRepository,
  RunsRepository,
  RunTokens,
  SecretBox,
  type Connection,
} from '@copilot/persistence';
import { LostDeliveries, Queue, RunQueue } from '@copilot/queues';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, dropDatabase } from '../../../../test/support/database';
import { newRun } from '../../../../test/support/new-run';
import { RunReaper } from './run-reaper';

/** Of its own: a reaper looks at every run there is. */
let databaseUrl: string;
let connection: Connection;
let runsQueue: Queue;
let toolCallsQueue: Queue;

const required = (name: 'DATABASE_URL' | 'REDIS_URL'): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

beforeAll(async () => {
  databaseUrl = await createDatabase(required('DATABASE_URL'));
  await migrate(databaseUrl);
  connection = connect(databaseUrl, () => undefined);
  const options = { connection: { url: required('REDIS_URL') }, prefix: `{test-${randomUUID()}}` };
  runsQueue = new Queue(QUEUES.runs, options);
  toolCallsQueue = new Queue(QUEUES.toolCalls, options);
});

afterAll(async () => {
  await Promise.all([runsQueue.obliterate({ force: true }), toolCallsQueue.obliterate({ force: true })]);
  await Promise.all([runsQueue.close(), toolCallsQueue.close(), connection.pool.end()]);
  await dropDatabase(required('DATABASE_URL'), databaseUrl);
});

/** Runs of sessions of their own whose gateway died between the row and the job, a minute ago. */
async function runsWithoutJobs(count: number): Promise<string[]> {
  const intake = new RunIntake(
    connection,
    new RunTokens(connection, new SecretBox('a key of enough characters')),
  );
  const accepted = await Promise.all(Array.from({ length: count }, () => intake.accept(newRun())));
  const runIds = accepted.map(({ run }) => run.runId);
  await connection.pool.query(
    "UPDATE runs SET created_at = now() - interval '1 minute' WHERE run_id = ANY($1)",
    [runIds],
  );
  return runIds;
}

/** A reaper of a process of its own; it dies as it is about to enqueue its run number `dieAt`. */
function reaper(dieAt = Infinity): RunReaper {
  const queue = new RunQueue(runsQueue);
  let enqueued = 0;
  return new RunReaper({
    reaping: new RunReapingRepository(connection),
    runs: new RunsRepository(connection),
    lost: new LostDeliveries(runsQueue, toolCallsQueue),
    queue: {
      enqueue: async (run) => {
        if ((enqueued += 1) >= dieAt) throw new Error('killed');
        await queue.enqueue(run);
      },
      settleNow: (runId) => queue.settleNow(runId),
    },
    log: { warn: () => undefined, error: () => undefined },
  });
}

/** Of each run: what its row expects, and how many jobs a worker would be given that the row accepts. */
async function deliveries(runIds: readonly string[]): Promise<{ redeliveries: number; jobs: number }[]> {
  const { rows } = await connection.pool.query<{
    run_id: string;
    enqueue_number: number;
    redeliveries: number;
  }>('SELECT run_id, enqueue_number, redeliveries FROM runs WHERE run_id = ANY($1)', [runIds]);
  const ids = (await runsQueue.getJobs()).map(({ id }) => id);
  return rows.map(({ run_id, enqueue_number, redeliveries }) => ({
    redeliveries,
    jobs: ids.filter((id) => id === `${run_id}-${enqueue_number}`).length,
  }));
}

it('several at once leave each lost run with one job that its row accepts', async () => {
  const runIds = await runsWithoutJobs(30);
  await Promise.all([reaper().sweep(), reaper().sweep(), reaper().sweep()]);
  const after = await deliveries(runIds);
  expect(after.map(({ jobs }) => jobs)).toEqual(runIds.map(() => 1));
  await reaper().sweep();
  expect(await deliveries(runIds)).toEqual(after);
});

it('what one that dies in mid-sweep has begun is finished by the next', async () => {
  const runIds = await runsWithoutJobs(10);
  await expect(reaper(4).sweep()).rejects.toThrow('killed');
  expect((await deliveries(runIds)).filter(({ jobs }) => jobs === 1)).toHaveLength(3);
  await reaper().sweep();
  const after = await deliveries(runIds);
  expect(after.map(({ jobs }) => jobs)).toEqual(runIds.map(() => 1));
  // The one that had its number already when the first reaper died.
  expect(after.filter(({ redeliveries }) => redeliveries === 2)).toHaveLength(1);
});
