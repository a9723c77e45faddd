import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../fakes/scripted-model';
import { strict } from '../fakes/strict-provider';
import { PrivateRedisCluster } from '../support/private-redis-cluster';
import { CONFIG, show } from './support/limit-scripts';
import { collect, ofType, openStream, textOf, type Frame } from './support/sse-client';
import { Stack } from './support/stack';

/** Where BullMQ's keys are, those of all queues: flows need them on one node. */
const A_QUEUE_KEY = '{copilot}:runs:meta';

let cluster: PrivateRedisCluster;
let stack: Stack;

beforeAll(async () => {
  cluster = await PrivateRedisCluster.start(3);
  stack = await Stack.start({ redisUrl: cluster.url, gateways: 2, agents: 2, tools: 2 });
});

afterAll(async () => {
  try {
    await stack.stop();
  } finally {
    await cluster.remove();
  }
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const marker = (name: string) => `ip host ${name} 192.0.2.1`;
const configure = (name: string) => ({
  name: CONFIG,
  args: { device_configs: [{ device_name: 'R1', config_commands: [marker(name)] }] },
});

const askedIn = ({ messages }: ChatRequest) =>
  String(messages.findLast(({ role }) => role === 'user')?.content);
const hasResults = ({ messages }: ChatRequest) => messages.at(-1)?.role === 'tool';

async function follow(runId: string, gateway: number, lastEventId?: string): Promise<Frame[]> {
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return collect((await openStream(stack.chatUrl(`/runs/${runId}/events`, { gateway }), { headers })).frames);
}

interface Chat {
  readonly runId: string;
  readonly first: Frame;
  readonly frames: AsyncGenerator<Frame, void, undefined>;
}

async function chat(message: string, session_id: string, gateway = 0): Promise<Chat> {
  const { frames } = await stack.chat(message, { session_id }, gateway);
  const { value: first } = await frames.next();
  if (!first) throw new Error('the stream ended before its first event');
  return { runId: String(first.data.run_id), first, frames };
}

/** Reads up to the first piece of the answer. */
async function firstWord({ frames }: Chat): Promise<void> {
  for (;;) {
    const { value } = await frames.next();
    if (!value) throw new Error('the stream ended early');
    if (value.data.type === 'content') return;
  }
}

async function ended(runId: string): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < 3; tries += 1) {
    const response = await fetch(stack.chatUrl(`/runs/${runId}?wait=15`)).catch(() => undefined);
    const run = response?.ok ? ((await response.json()) as Record<string, unknown>) : {};
    if (['completed', 'failed', 'cancelled'].includes(String(run.status))) return run;
    await pause(200);
  }
  throw new Error(`the run ${runId} did not end`);
}

async function untilReady(gateway: number): Promise<void> {
  while ((await fetch(stack.url('/health/ready', gateway))).status !== 200) await pause(100);
}

describe('on a Redis Cluster of three nodes', () => {
  it('chats with tools end, at both gateways with the same events, each once from every cursor', async () => {
    stack.model.play(
      strict((request) =>
        hasResults(request)
          ? { text: ['It ', 'is ', 'set.'] }
          : { text: 'Setting. ', calls: [configure('set'), show('R2')] },
      ),
    );
    const { runId, first, frames } = await chat('Set it.', 'with tools');
    const [here, there] = await Promise.all([collect(frames), follow(runId, 1)]);
    const all = [first, ...here];
    expect(there).toEqual(all);
    expect(textOf(all)).toBe('Setting. It is set.');
    expect(ofType(all, 'tool_end')).toHaveLength(2);
    expect(all.at(-1)?.data).toMatchObject({ type: 'done', stop_reason: 'completed' });
    for (const [n, { id }] of all.entries()) {
      if (id !== undefined) expect(await follow(runId, n % 2, id)).toEqual(all.slice(n + 1));
    }
  });

  it('the logs of runs are spread over the nodes, and the queues are on one', async () => {
    stack.model.play(strict(() => ({ text: 'Here.' })));
    const chats = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => chat('Are you there?', `spread ${n}`, n % 2)),
    );
    for (const { frames } of chats) expect(textOf(await collect(frames))).toBe('Here.');
    const keys = await cluster.keys();
    const nodesWith = (isWanted: (key: string) => boolean) =>
      keys.filter((held) => held.some(isWanted)).length;
    expect(nodesWith((key) => /^\{run:.*\}:events$/.test(key))).toBeGreaterThanOrEqual(2);
    expect(nodesWith((key) => key.startsWith('{copilot}'))).toBe(1);
    expect(keys.flat().filter((key) => !/^\{(copilot|run:[^}]+)\}:/.test(key))).toEqual([]);
  });

  it('a cancel at one gateway ends a run that is watched at the other', async () => {
    stack.model.play(strict(() => ({ text: Array.from({ length: 100 }, () => 'on '), pieceDelayMs: 100 })));
    const watched = await chat('Go on.', 'cancelled');
    await firstWord(watched);
    const cancelled = await fetch(stack.chatUrl(`/runs/${watched.runId}/cancel`, { gateway: 1 }), {
      method: 'POST',
    });
    expect(cancelled.status).toBe(200);
    const rest = await collect(watched.frames);
    expect(rest.slice(-2).map(({ data }) => data.type)).toEqual(['abort', 'done']);
  });

  it("a session's messages are worked off in order", async () => {
    stack.model.play(strict((request) => ({ text: `To ${askedIn(request)}`, delayMs: 100 })));
    const chats: Chat[] = [];
    for (let n = 0; n < 4; n += 1) chats.push(await chat(`message ${n}`, 'in order', n % 2));
    const answers = await Promise.all(chats.map(async ({ frames }) => textOf(await collect(frames))));
    expect(answers).toEqual([0, 1, 2, 3].map((n) => `To message ${n}`));
    expect(stack.model.requests.map(askedIn)).toEqual([0, 1, 2, 3].map((n) => `message ${n}`));
  });

  it('a run whose worker is killed is finished by another', async () => {
    stack.model.play(
      strict((_, call) => ({ text: call === 1 ? Array(50).fill('no ') : 'Yes.', pieceDelayMs: 100 })),
    );
    const watched = await chat('Say it.', 'killed');
    await firstWord(watched);
    for (const agent of stack.agents.splice(0)) await agent.stop('SIGKILL');
    stack.startAgent();
    const rest = await collect(watched.frames);
    const repeated = rest.findIndex(({ data }) => data.type === 'attempt');
    expect(textOf(rest.slice(repeated))).toBe('Yes.');
    expect(rest.at(-1)?.data).toMatchObject({ type: 'done', stop_reason: 'completed' });
  });

  it('a run whose jobs were lost with a node is found by the upkeep, and its command is sent once', async () => {
    await stack.clearLabCommands();
    for (const tool of stack.tools.splice(0)) await tool.stop();
    stack.model.play(
      strict((request) => (hasResults(request) ? { text: 'Done.' } : { calls: [configure('lost')] })),
    );
    const { runId } = await chat('Work.', 'lost');
    const status = async () =>
      ((await (await fetch(stack.chatUrl(`/runs/${runId}`))).json()) as { status: string }).status;
    while ((await status()) !== 'waiting_tools') await pause(50);
    await cluster.clients[await cluster.nodeOf(A_QUEUE_KEY)]?.flushall();
    stack.startTool();
    expect(await ended(runId)).toMatchObject({ status: 'completed' });
    const lines = (await stack.labCommands()).map(({ line }) => line);
    expect(lines.filter((line) => line === marker('lost'))).toHaveLength(1);
  });

  it('a node that restarts in mid-run is waited for, and the run goes on by itself', async () => {
    const words = Array.from({ length: 30 }, (_, n) => `${n} `);
    stack.model.play(strict(() => ({ text: words, pieceDelayMs: 100 })));
    const chats = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => chat('Count.', `restart ${n}`, n % 2)),
    );
    await Promise.all(chats.map(firstWord));
    const pids = stack.pids();
    for (const node of cluster.nodes) {
      await node.down();
      await node.up();
    }
    await Promise.all([0, 1].map(untilReady));
    for (const { runId } of chats) {
      expect(await ended(runId)).toMatchObject({ status: 'completed' });
      const all = await follow(runId, 1);
      const repeated = all.findLastIndex(({ data }) => data.type === 'attempt');
      expect(textOf(all.slice(repeated + 1))).toBe(words.join(''));
      expect(ofType(all, 'done')).toHaveLength(1);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    }
    expect(stack.pids()).toEqual(pids);
    stack.model.play(strict(() => ({ text: 'As before.' })));
    expect(textOf(await collect((await chat('And now?', 'restart 0')).frames))).toBe('As before.');
  });
});
