import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChangingChats } from './support/changing-chats';
import { Stack } from './support/stack';

const CHATS = 40;

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ gateways: 2, agents: 2, tools: 2, demoEnv: { DEMO_NODES: '10' } });
});

afterAll(() => stack.stop());

describe('SIGTERM under 40 chats', () => {
  it.each(['agent', 'tool', 'gateway'] as const)(
    'D12: of one %s: it drains in time, nothing is lost and nothing done twice',
    async (kind) => {
      await stack.clearLabCommands();
      const chats = new ChangingChats(stack);
      const following = Array.from({ length: CHATS }, (_, n) => chats.follow(n, 1));
      await pause(1_500);
      const child = { agent: stack.agents, tool: stack.tools, gateway: stack.gateways }[kind].at(-1);
      await child?.stop('SIGTERM');
      if (kind === 'agent') stack.startAgent();
      if (kind === 'tool') stack.startTool();
      if (kind === 'gateway') stack.startGateway(1);
      await Promise.all(following);
      await chats.expectAllDoneOnce();
      expect(chats.unknown).toBe(0);
    },
    180_000,
  );
});

describe('D1: an agent worker that stands still for longer than its lock', () => {
  it('has its run finished by another, and says nothing more when it wakes', async () => {
    await stack.clearLabCommands();
    const chats = new ChangingChats(stack);
    for (const agent of stack.agents.splice(1)) await agent.stop();
    const [still] = stack.agents;
    const following = chats.follow(0, 1);
    await pause(300);
    still?.signal('SIGSTOP');
    stack.startAgent();
    const frames = await following;
    still?.signal('SIGCONT');
    await chats.expectAllDoneOnce();
    await pause(1_000);
    expect(await stack.resume(String(frames[0]?.data.run_id), undefined)).toHaveLength(frames.length);
  });
});
