import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChangingChats } from './support/changing-chats';
import type { Child } from './support/child';
import { Stack } from './support/stack';

/** Chats under way at any moment. */
const LANES = 5;

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({
    ...{ gateways: 2, agents: 2, tools: 2 },
    demoEnv: { DEMO_NODES: '10' },
    env: { DRAIN_SECONDS: '20' },
  });
});

afterAll(() => stack.stop());

beforeEach(() => stack.clearLabCommands());

/** One chat after another in each lane, until the work is done; resolves when the last has ended. */
async function chatsDuring(chats: ChangingChats, work: () => Promise<void>): Promise<void> {
  let next = 0;
  let isOver = false;
  const lane = async () => {
    while (!isOver) await chats.follow((next += 1), next % 2);
  };
  const lanes = Array.from({ length: LANES }, lane);
  try {
    await work();
  } finally {
    isOver = true;
  }
  await Promise.all(lanes);
}

async function replace(old: Child | undefined, start: () => Child, readyLine: string): Promise<void> {
  await old?.stop('SIGTERM');
  await start().line(readyLine);
}

describe('a rolling restart under chats with tools', () => {
  it('of every process loses nothing, does nothing twice, and every viewer has each event once', async () => {
    const chats = new ChangingChats(stack, ['This ', 'is ', 'my '], 50);
    await chatsDuring(chats, async () => {
      for (const n of stack.gateways.keys()) {
        await replace(stack.gateways[n], () => stack.startGateway(n), 'gateway ready');
      }
      // The oldest each time: new ones are added at the end.
      for (let n = 0; n < 2; n += 1) {
        await replace(stack.agents.shift(), () => stack.startAgent(), 'agent worker ready');
        await replace(stack.tools.shift(), () => stack.startTool(), 'tool worker ready');
      }
    });
    expect(chats.count).toBeGreaterThanOrEqual(2 * LANES);
    await chats.expectAllDoneOnce();
    expect(chats.unknown).toBe(0);
  });
});

describe('a second SIGTERM during the drain', () => {
  it('ends each kind of process at once, and is as safe as a kill', async () => {
    // An agent worker would drain for as long as one of these is being said.
    const chats = new ChangingChats(stack, [...'slowly: '], 1_000);
    const hurry = async (child: Child | undefined) => {
      child?.signal('SIGTERM');
      // Two that are sent at once may arrive as one.
      await pause(500);
      const begun = performance.now();
      await child?.stop('SIGTERM');
      return performance.now() - begun;
    };
    const tookMs: number[] = [];
    await chatsDuring(chats, async () => {
      tookMs.push(await hurry(stack.gateways[1]));
      await stack.startGateway(1).line('gateway ready');
      tookMs.push(await hurry(stack.agents.shift()));
      await stack.startAgent().line('agent worker ready');
      tookMs.push(await hurry(stack.tools.shift()));
      await stack.startTool().line('tool worker ready');
    });
    for (const took of tookMs) expect(took).toBeLessThan(5_000);
    await chats.expectAllDoneOnce();
  });
});
