import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ofType, textOf, type Frame, type OpenStream } from './support/sse-client';
import { Stack } from './support/stack';

const CHATS = 40;

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ gateways: 2, agents: 2, tools: 2, demoEnv: { DEMO_NODES: '10' } });
});

afterAll(() => stack.stop());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function marker(n: number) {
  return `ip host m${n} 192.0.2.${n + 1}`;
}

/** Each chat sends one changing command of its own, then reads, then answers. */
function playChats(): void {
  stack.model.play((request) => {
    const n = Number(
      /chat (\d+)/.exec(String(request.messages.findLast(({ role }) => role === 'user')?.content))?.[1],
    );
    const device_name = `R${(n % 10) + 1}`;
    const done = request.messages.filter(({ role }) => role === 'tool').length;
    if (done === 0) {
      return {
        text: 'first ',
        calls: [
          {
            name: 'execute_multiple_device_config_commands',
            args: { device_configs: [{ device_name, config_commands: [marker(n)] }] },
          },
        ],
      };
    }
    if (done === 1) return { calls: [{ name: 'gns3_topology_reader', args: {} }] };
    return { text: `answer ${n}` };
  });
}

/** A gateway that is shutting down says so, and takes nothing on: the message can be sent again. */
async function send(n: number): Promise<OpenStream> {
  for (;;) {
    const stream = await stack.chat(`chat ${n}`, {}, 1).catch(notListening);
    if (stream?.response.status === 200) return stream;
    if (stream) expect(stream.response.status).toBe(503);
    await pause(200);
  }
}

function notListening(error: unknown): undefined {
  const { cause } = error as { cause?: { code?: string } };
  if (cause?.code !== 'ECONNREFUSED') throw error;
}

/** Follows a run to its end over whichever gateway is there, as a client that reconnects does. */
async function follow(n: number): Promise<Frame[]> {
  const all: Frame[] = [];
  const { frames } = await send(n);
  try {
    for await (const frame of frames) all.push(frame);
  } catch {
    // Its gateway has gone.
  }
  const deadline = Date.now() + 90_000;
  while (all.at(-1)?.data.type !== 'done') {
    const last = all.at(-1);
    if (!last || Date.now() > deadline) throw new Error(`chat ${n} stopped at ${JSON.stringify(last)}`);
    const rest = await stack.resume(String(last.data.run_id), last.id).catch(() => []);
    all.push(...rest);
    if (rest.length === 0) await pause(200);
  }
  return all;
}

async function expectAllDoneOnce(chats: readonly Frame[][]): Promise<void> {
  for (const [n, frames] of chats.entries()) {
    expect(ofType(frames, 'done')).toHaveLength(1);
    expect(new Set(frames.map(({ id }) => id)).size).toBe(frames.length);
    const repeated = frames.findLastIndex(({ data }) => data.type === 'attempt');
    expect(textOf(frames.slice(repeated + 1)).endsWith(`answer ${n}`)).toBe(true);
  }
  const lines = (await stack.labCommands()).map(({ line }) => line);
  for (const n of chats.keys()) expect(lines.filter((line) => line === marker(n))).toHaveLength(1);
}

describe('SIGTERM under 40 chats', () => {
  it.each(['agent', 'tool', 'gateway'] as const)(
    'D12: of one %s: it drains in time, nothing is lost and nothing done twice',
    async (kind) => {
      await stack.clearLabCommands();
      playChats();
      const following = Array.from({ length: CHATS }, (_, n) => follow(n));
      await pause(1_500);
      const child = { agent: stack.agents, tool: stack.tools, gateway: stack.gateways }[kind].at(-1);
      await child?.stop('SIGTERM');
      if (kind === 'agent') stack.startAgent();
      if (kind === 'tool') stack.startTool();
      if (kind === 'gateway') stack.startGateway(1);
      await expectAllDoneOnce(await Promise.all(following));
    },
    180_000,
  );
});

describe('D1: an agent worker that stands still for longer than its lock', () => {
  it('has its run finished by another, and says nothing more when it wakes', async () => {
    await stack.clearLabCommands();
    playChats();
    for (const agent of stack.agents.splice(1)) await agent.stop();
    const [still] = stack.agents;
    const following = follow(0);
    await pause(300);
    still?.signal('SIGSTOP');
    stack.startAgent();
    const chats = [await following];
    still?.signal('SIGCONT');
    await expectAllDoneOnce(chats);
    await pause(1_000);
    expect(await stack.resume(String(chats[0]?.[0]?.data.run_id), undefined)).toHaveLength(
      chats[0]?.length ?? -1,
    );
  });
});
