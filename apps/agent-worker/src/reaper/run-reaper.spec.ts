import { MAX_REDELIVERIES } from '@copilot/contracts';
import type { CallPlace, LiveRun } from '@copilot/persistence';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { RunReaper } from './run-reaper';

/** What Postgres and the queues know, and what was done, in order. */
const world = {
  live: [] as LiveRun[],
  calls: [] as CallPlace[],
  overdue: [] as string[],
  /** Ids of the runs and calls with a job in motion; `run/iteration/position` of a call. */
  moving: new Set<string>(),
  /** What is in motion only when it is asked for the second time. */
  movingLater: new Set<string>(),
  redeliveries: 0,
  /** Somebody does something with every run before the reaper can. */
  touched: false,
  pages: [] as number[],
  done: [] as string[],
};

const callKey = ({ runId, iteration, position }: CallPlace) => `${runId}/${iteration}/${position}`;

function reaper(): RunReaper {
  const looks = new Map<string, number>();
  const isMoving = (runId: string) => {
    looks.set(runId, (looks.get(runId) ?? 0) + 1);
    return world.moving.has(runId) || (world.movingLater.has(runId) && looks.get(runId) === 2);
  };
  return new RunReaper({
    reaping: {
      live: async (after, limit) => {
        const page = world.live.filter(({ sequence }) => sequence > after).slice(0, limit);
        world.pages.push(page.length);
        return page;
      },
      newestTurns: async (runIds) => world.calls.filter(({ runId }) => runIds.includes(runId)),
      redeliver: async ({ enqueueNumber }) =>
        world.touched
          ? undefined
          : { enqueueNumber: enqueueNumber + 1, redeliveries: world.redeliveries + 1 },
      overdue: async () => world.overdue,
      stoppedLines: async () => [],
    },
    runs: { headOfLine: async () => undefined },
    lost: {
      runsAtRest: async (runs) => runs.filter(({ runId }) => !isMoving(runId)),
      callsAtRest: async (calls) => calls.filter((call) => !world.moving.has(callKey({ ...call }))),
      clear: async ({ runId, enqueueNumber }, calls) => {
        world.done.push(`clear ${runId} ${enqueueNumber} and ${calls.length} calls`);
      },
    },
    queue: {
      enqueue: async ({ runId, enqueueNumber }) => {
        world.done.push(`enqueue ${runId} ${enqueueNumber}`);
      },
      settleNow: async (runId) => {
        world.done.push(`settle ${runId}`);
      },
    },
    log: { warn: () => undefined, error: () => undefined },
  });
}

const run = (runId: string, sequence = 1, status: LiveRun['status'] = 'running'): LiveRun => ({
  ...{ runId, sequence, status, attempt: 1, enqueueNumber: 1, deadlineAt: null },
});

beforeEach(() => {
  Object.assign(world, { live: [], calls: [], overdue: [], redeliveries: 0, touched: false });
  Object.assign(world, { moving: new Set(), movingLater: new Set(), pages: [], done: [] });
});

describe('a sweep', () => {
  it('clears a lost run away before it enqueues it under its new number', async () => {
    world.live = [run('lost'), run('fine', 2)];
    world.moving.add('fine');
    await reaper().sweep();
    expect(world.done).toEqual(['clear lost 1 and 0 calls', 'enqueue lost 2']);
  });

  it('does nothing with a run that somebody has touched meanwhile', async () => {
    world.live = [run('a')];
    world.touched = true;
    await reaper().sweep();
    expect(world.done).toEqual([]);
  });

  it('leaves a run alone while one of its calls moves, and takes it when none does', async () => {
    world.live = [run('a', 1, 'waiting_tools')];
    world.calls = [
      { runId: 'a', iteration: 2, position: 0 },
      { runId: 'a', iteration: 2, position: 1 },
    ];
    world.moving.add('a/2/1');
    await reaper().sweep();
    expect(world.done).toEqual([]);
    world.moving.clear();
    await reaper().sweep();
    expect(world.done).toEqual(['clear a 1 and 2 calls', 'enqueue a 2']);
  });

  it('leaves a run alone whose last call ended between the questions', async () => {
    world.live = [run('a', 1, 'waiting_tools')];
    world.movingLater.add('a');
    await reaper().sweep();
    expect(world.done).toEqual([]);
  });

  it('has a run ended that was lost too often', async () => {
    world.live = [run('a')];
    world.redeliveries = MAX_REDELIVERIES;
    await reaper().sweep();
    expect(world.done).toEqual(['clear a 1 and 0 calls', 'settle a']);
  });

  it('has overdue runs ended', async () => {
    world.overdue = ['late'];
    await reaper().sweep();
    expect(world.done).toEqual(['settle late']);
  });

  it('is bounded, and the next one goes on where it stopped, then from the start', async () => {
    world.live = Array.from({ length: 2_100 }, (_, n) => run(`r${n}`, n + 1));
    for (const { runId } of world.live) world.moving.add(runId);
    const one = reaper();
    await one.sweep();
    expect(world.pages).toEqual(Array.from({ length: 10 }, () => 200));
    await one.sweep();
    expect(world.pages.slice(10)).toEqual([100]);
    await one.sweep();
    expect(world.pages.slice(11)).toEqual(Array.from({ length: 10 }, () => 200));
  });
});
