import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from '@copilot/persistence';
import { collect, ofType, openStream, textOf, type OpenStream } from './support/sse-client';
import { Stack } from './support/stack';

const SECRET_PROMPT = 'prompt-that-must-not-leak-9f3b';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ agents: 2, tools: 2, demoEnv: { DEMO_NODES: '10' } });
});

afterAll(() => stack.stop());

/** Every value of every key, whatever its type. */
async function everythingInRedis(): Promise<string> {
  const parts: string[] = [];
  for (const key of await stack.redis.keys('*')) {
    parts.push(key);
    const type = await stack.redis.type(key);
    if (type === 'string') parts.push((await stack.redis.get(key)) ?? '');
    if (type === 'hash') parts.push(JSON.stringify(await stack.redis.hgetall(key)));
    if (type === 'list') parts.push(...(await stack.redis.lrange(key, 0, -1)));
    if (type === 'set') parts.push(...(await stack.redis.smembers(key)));
    if (type === 'zset') parts.push(...(await stack.redis.zrange(key, '0', '-1')));
    if (type === 'stream') parts.push(JSON.stringify(await stack.redis.xrange(key, '-', '+')));
  }
  return parts.join('\n');
}

describe('two agent workers and two tool workers', () => {
  it('share 40 chats, and each finishes once', async () => {
    stack.model.play((request) => {
      const asked = String(request.messages.findLast(({ role }) => role === 'user')?.content);
      // Never the message itself: what the model says is in the log, what it was asked must not be.
      const number = asked.split(' ').at(-1);
      if (request.messages.at(-1)?.role === 'tool') return { text: `answer ${number}` };
      const device_name = `R${(Number(number) % 10) + 1}`;
      return {
        calls: [
          { name: 'gns3_topology_reader', args: {} },
          {
            name: 'execute_multiple_device_commands',
            args: { device_configs: [{ device_name, commands: ['show clock'] }] },
          },
        ],
      };
    });
    const messages = Array.from({ length: 40 }, (_, n) => `${SECRET_PROMPT} ${n}`);
    const all = await Promise.all(
      messages.map(async (message) => collect((await stack.chat(message)).frames)),
    );
    expect(all.map(textOf)).toEqual(messages.map((_, n) => `answer ${n}`));
    for (const frames of all) {
      expect(ofType(frames, 'done')).toHaveLength(1);
      expect(ofType(frames, 'tool_end')).toHaveLength(2);
    }
    for (const worker of [...stack.agents, ...stack.tools]) {
      expect(worker.lines.some((line) => /run ended|tool call ended/.test(line))).toBe(true);
    }
  });

  it('leave no API key and no prompt in Redis, logs or the dashboard, and no key in Postgres', async () => {
    const redis = await everythingInRedis();
    const pages: string[] = [];
    for (const queue of ['runs', 'tool-calls']) {
      const page = await fetch(
        stack.url(`/admin/queues/api/queues?activeQueue=${queue}&status=completed&page=1`),
      );
      expect(page.status).toBe(200);
      pages.push(await page.text());
    }
    const { pool } = connect(stack.databaseUrl, () => undefined, 1);
    const configs = JSON.stringify((await pool.query('SELECT * FROM model_configs')).rows);
    await pool.end();

    expect(redis).toContain('execute-run');
    expect(redis).toContain('answer 39');
    expect(pages.join()).toContain('execute-tool-call');
    for (const text of [redis, stack.logs(), ...pages]) {
      expect(text).not.toContain(SECRET_PROMPT);
      expect(text).not.toContain(stack.apiKey);
    }
    expect(configs).not.toContain(stack.apiKey);
  });

  it('D11: 300 opened and closed streams leave the connections as they were', async () => {
    stack.model.play(() => ({ text: 'ok', delayMs: 50 }));
    const database = new RegExp(` db=${new URL(stack.redisUrl).pathname.slice(1)} `);
    const clients = async () =>
      String(await stack.redis.client('LIST'))
        .split('\n')
        .filter((line) => database.test(line)).length;
    await collect((await stack.chat('warm up')).frames);
    const before = await clients();
    const openAndClose = async (opened: Promise<OpenStream>) => {
      const { frames, close } = await opened;
      const first = await frames.next();
      close();
      return String(first.value?.data.run_id);
    };
    const runIds = await Promise.all(Array.from({ length: 30 }, () => openAndClose(stack.chat('short'))));
    for (let viewers = 0; viewers < 9; viewers += 1) {
      await Promise.all(
        runIds.map((runId) => openAndClose(openStream(stack.chatUrl(`/runs/${runId}/events`)))),
      );
    }
    await collect((await stack.chat('last')).frames);
    expect(await clients()).toBeLessThanOrEqual(before + 2);
    expect(stack.logs()).not.toContain('MaxListenersExceededWarning');
  });
});

describe('D13: agents with two slots and ten runs of three tools each', () => {
  it('all finish', async () => {
    for (const agent of stack.agents.splice(0)) await agent.stop();
    for (const tool of stack.tools.splice(0)) await tool.stop();
    stack.startAgent({ AGENT_CONCURRENCY: '2' });
    stack.startTool({ TOOL_CONCURRENCY: '2' });
    await stack.ready();
    stack.model.play((request) =>
      request.messages.at(-1)?.role === 'tool'
        ? { text: 'finished' }
        : { calls: Array.from({ length: 3 }, () => ({ name: 'gns3_topology_reader', args: {} })) },
    );
    const all = await Promise.all(
      Array.from({ length: 10 }, async () => collect((await stack.chat('three tools')).frames)),
    );
    expect(all.map(textOf)).toEqual(Array.from({ length: 10 }, () => 'finished'));
  });
});
