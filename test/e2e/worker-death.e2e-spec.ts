import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, ofType, textOf, type Frame } from './support/sse-client';
import { Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ demoEnv: { DEMO_LATENCY_MS: '1500' } });
});

afterAll(() => stack.stop());

const setHostname = {
  name: 'execute_multiple_device_config_commands',
  args: { device_configs: [{ device_name: 'R1', config_commands: ['ip host marker 192.0.2.1'] }] },
};
const readClock = {
  name: 'execute_multiple_device_commands',
  args: { device_configs: [{ device_name: 'R2', commands: ['show clock'] }] },
};

/** Reads a stream to its end and calls back at the first frame of a type. */
async function readAnd(
  frames: AsyncIterable<Frame>,
  type: string,
  then: () => Promise<void>,
): Promise<Frame[]> {
  const all: Frame[] = [];
  let met = false;
  for await (const frame of frames) {
    all.push(frame);
    if (!met && frame.data.type === type) {
      met = true;
      await then();
    }
  }
  return all;
}

async function received(line: string): Promise<number> {
  return (await stack.labCommands()).filter((command) => command.line === line).length;
}

describe('a worker that is killed', () => {
  it('an agent worker during a tool call: the run finishes and the console saw the command once', async () => {
    await stack.clearLabCommands();
    stack.model.play([{ text: 'Setting it. ', calls: [setHostname] }, { text: 'Set.' }]);
    const { frames } = await stack.chat('set the marker');
    const all = await readAnd(frames, 'tool_start', async () => {
      await stack.agents[0]?.stop('SIGKILL');
      stack.startAgent();
    });
    expect(textOf(all)).toBe('Setting it. Set.');
    expect(all.at(-1)?.data).toMatchObject({ type: 'done', stop_reason: 'completed' });
    expect(await received('ip host marker 192.0.2.1')).toBe(1);
    expect(stack.model.requests).toHaveLength(2);
  });

  it('an agent worker in the middle of a text: viewers are told to drop it, and it is said again', async () => {
    stack.model.play([
      { text: ['This ', 'will ', 'break '], pieceDelayMs: 300, reset: true, delayMs: 0 },
      { text: 'Whole.' },
    ]);
    const { frames } = await stack.chat('tell me');
    const all = await readAnd(frames, 'content', async () => {
      const [agent] = stack.agents.slice(-1);
      await agent?.stop('SIGKILL');
      stack.startAgent();
    });
    const types = all.map(({ data }) => data.type);
    const attempt = types.indexOf('attempt');
    expect(attempt).toBeGreaterThan(types.indexOf('content'));
    expect(textOf(all.slice(attempt))).toBe('Whole.');
    expect(ofType(all, 'done')).toHaveLength(1);
  });

  it('a tool worker in a read-only call: the call is run again', async () => {
    stack.model.play([{ calls: [readClock] }, { text: 'Read.' }]);
    const { frames } = await stack.chat('what time is it?');
    const all = await readAnd(frames, 'tool_start', async () => {
      const [tool] = stack.tools.slice(-1);
      await tool?.stop('SIGKILL');
      stack.startTool();
    });
    expect(ofType(all, 'tool_start')).toHaveLength(1);
    expect(ofType(all, 'tool_end')[0]?.tool_output).toContain('R2#show clock');
    expect(textOf(all)).toBe('Read.');
  });

  it('a tool worker in a changing call: it is not sent again, and the result says that the outcome is unknown', async () => {
    await stack.clearLabCommands();
    stack.model.play([{ calls: [setHostname] }, { text: 'I will check.' }]);
    const { frames } = await stack.chat('set the marker');
    const all = await readAnd(frames, 'tool_start', async () => {
      const [tool] = stack.tools.slice(-1);
      await tool?.stop('SIGKILL');
      stack.startTool();
    });
    expect(ofType(all, 'tool_end')[0]?.tool_output).toContain('Outcome unknown');
    expect(await received('ip host marker 192.0.2.1')).toBeLessThanOrEqual(1);
    expect(textOf(all)).toBe('I will check.');
  });
});

describe('a gateway that is killed in mid-stream', () => {
  it('a client that reconnects with Last-Event-ID has every event once', async () => {
    stack.model.play([{ text: Array.from({ length: 40 }, (_, n) => `${n} `), pieceDelayMs: 50 }]);
    const { frames } = await stack.chat('count');
    const first: Frame[] = [];
    try {
      for await (const frame of frames) {
        first.push(frame);
        if (first.length === 10) await stack.gateways[0]?.stop('SIGKILL');
      }
    } catch {
      // The connection went with the gateway.
    }
    stack.startGateway(0);
    await stack.gateways[0]?.line('gateway ready');
    const last = first.at(-1);
    const rest = await stack.resume(String(last?.data.run_id), last?.id);
    const all = [...first, ...rest];
    expect(textOf(all)).toBe(Array.from({ length: 40 }, (_, n) => `${n} `).join(''));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(rest.at(-1)?.data).toMatchObject({ type: 'done', stop_reason: 'completed' });
  });
});

describe('D2: a run whose lock is deleted in Redis', () => {
  it('ends once, with one done', async () => {
    stack.model.play([
      { text: Array.from({ length: 20 }, (_, n) => `${n} `), pieceDelayMs: 200 },
      { text: 'again' },
    ]);
    const { frames } = await stack.chat('count slowly');
    const all = await readAnd(frames, 'content', async () => {
      const [lock] = await stack.redis.keys('{copilot}:runs:*:lock');
      if (lock) await stack.redis.del(lock);
    });
    expect(ofType(all, 'done')).toHaveLength(1);
    expect(all.at(-1)?.data.type).toBe('done');
    expect(await collect((await stack.chat('next')).frames).then((next) => next.at(-1)?.data.type)).toBe(
      'done',
    );
  });
});
