import { connect, type Connection } from '@copilot/persistence';
import { Queue, RunQueue } from '@copilot/queues';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../fakes/scripted-model';
import { strict } from '../fakes/strict-provider';
import { PrivateRedis } from '../support/private-redis';
import { collect, ofType, openStream, textOf, type Frame } from './support/sse-client';
import { post, Stack } from './support/stack';

let redis: PrivateRedis;
let stack: Stack;
let database: Connection;

beforeAll(async () => {
  redis = await PrivateRedis.start();
  stack = await Stack.start({
    redisUrl: redis.url,
    agents: 2,
    gateways: 2,
    demoEnv: { DEMO_LATENCY_MS: '1000' },
  });
  database = connect(stack.databaseUrl, () => undefined, 2);
});

afterAll(async () => {
  await database.pool.end();
  try {
    await stack.stop();
  } finally {
    await redis.remove();
  }
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until<T>(what: string, look: () => Promise<T | undefined | false>, ms = 40_000): Promise<T> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await pause(50)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`${what} did not come about`);
}

interface Row {
  readonly status: string;
  readonly stop_reason: string;
  readonly error_code: string | null;
  readonly redeliveries: number;
}

async function row(runId: string): Promise<Row> {
  const { rows } = await database.pool.query<Row>('SELECT * FROM runs WHERE run_id = $1', [runId]);
  if (!rows[0]) throw new Error('the run has a row');
  return rows[0];
}

const ended = (runId: string) =>
  until(`the end of ${runId}`, async () => {
    const found = await row(runId);
    return ['completed', 'failed', 'cancelled'].includes(found.status) && found;
  });

const inStatus = (runId: string, status: string) =>
  until(`status ${status}`, async () => (await row(runId)).status === status);

async function start(message: string, session_id: string): Promise<string> {
  const response = await fetch(stack.chatUrl('/runs'), post({ message, session_id }));
  return ((await response.json()) as { run_id: string }).run_id;
}

async function follow(runId: string, gateway = 0): Promise<AsyncGenerator<Frame, void, undefined>> {
  return (await openStream(stack.chatUrl(`/runs/${runId}/events`, { gateway }))).frames;
}

/** Reads up to the first piece of the answer; resolves with the run's id. */
async function firstWord(frames: AsyncGenerator<Frame, void, undefined>): Promise<string> {
  for (;;) {
    const { value } = await frames.next();
    if (!value) throw new Error('the stream ended early');
    if (value.data.type === 'content') return String(value.data.run_id);
  }
}

const marker = (name: string) => `ip host ${name} 192.0.2.1`;
const config = (id: string, device_name = 'R1') => ({
  id,
  name: 'execute_multiple_device_config_commands',
  args: { device_configs: [{ device_name, config_commands: [marker(id)] }] },
});
const show = (id: string, device_name = 'R2') => ({
  id,
  name: 'execute_multiple_device_commands',
  args: { device_configs: [{ device_name, commands: ['show clock'] }] },
});

async function sent(name: string): Promise<number> {
  return (await stack.labCommands()).filter(({ line }) => line === marker(name)).length;
}

/** What the session's next message shows the model, which refuses a conversation that does not fit together. */
async function historyOf(session_id: string): Promise<readonly ChatMessage[]> {
  stack.model.play(strict(() => ({ text: 'Here.' })));
  const frames = await collect((await stack.chat('And now?', { session_id })).frames);
  expect(textOf(frames)).toBe('Here.');
  return stack.model.requests[0]?.messages ?? [];
}

const resultOf = (history: readonly ChatMessage[], callId: string) =>
  String(history.find(({ tool_call_id }) => tool_call_id === callId)?.content);

/** How often the upkeep's turn has come since Redis knows of it. */
const sweeps = async () => Number(await stack.redis.hget('{copilot}:upkeep:repeat:reap', 'ic'));

describe('a Redis wiped clean', () => {
  it('in mid-run: a run that waits for its tools and those behind it end, each changing command is sent once', async () => {
    await stack.tools.shift()?.stop();
    const session = 'wiped while it waits';
    stack.model.play(
      strict((request) =>
        request.messages.some(({ role }) => role === 'tool') || !JSON.stringify(request).includes('Work')
          ? { text: 'Done.' }
          : { calls: [config('w1'), config('w2', 'R2'), show('w3')] },
      ),
    );
    const first = await start('Work', session);
    const second = await start('Next', session);
    const viewer = collect(await follow(first, 1));
    const other = collect(await follow(second));
    await inStatus(first, 'waiting_tools');
    await stack.redis.flushall();
    stack.startTool();

    expect(await ended(first)).toMatchObject({ status: 'completed', redeliveries: 1 });
    expect(await ended(second)).toMatchObject({ status: 'completed' });
    for (const name of ['w1', 'w2']) expect(await sent(name)).toBe(1);
    const seen = await viewer;
    expect(ofType(seen, 'done')).toHaveLength(1);
    expect(
      ofType(seen, 'tool_end')
        .map(({ tool_call_id }) => tool_call_id)
        .sort(),
    ).toEqual(['w1', 'w2', 'w3']);
    expect(textOf(seen)).toBe('Done.');
    expect(ofType(await other, 'done')).toHaveLength(1);
    expect(await historyOf(session)).not.toHaveLength(0);

    const late = await stack.resume(first, seen[0]?.id);
    expect(late.map(({ data }) => data.type)).toEqual([
      ...['run', 'tool_call', 'tool_call', 'tool_call'],
      ...['tool_start', 'tool_end', 'tool_start', 'tool_end', 'tool_start', 'tool_end'],
      ...['content', 'done'],
    ]);
  });

  it('in a tool call: what changes is not sent again and its result says so, what reads is done again', async () => {
    const session = 'wiped in a call';
    stack.model.play(
      strict((_request, call) => (call === 1 ? { calls: [config('c1'), show('c2')] } : { text: 'Done.' })),
    );
    const runId = await start('Work', session);
    const viewer = collect(await follow(runId));
    await until('the command', async () => (await sent('c1')) === 1);
    await stack.redis.flushall();

    expect(await ended(runId)).toMatchObject({ status: 'completed' });
    expect(ofType(await viewer, 'done')).toHaveLength(1);
    expect(await sent('c1')).toBe(1);
    const history = await historyOf(session);
    // Its worker notices within moments that it has lost the call; what came back before that counts.
    expect(resultOf(history, 'c1')).toMatch(/^Outcome unknown|c1/);
    expect(resultOf(history, 'c2')).toMatch(/UTC/);
  });

  it('in a model call: the call is made again, and its viewer is told to forget the pieces', async () => {
    const words = Array.from({ length: 40 }, (_, n) => `${n} `);
    stack.model.play(() => ({ text: words, pieceDelayMs: 100 }));
    const { frames } = await stack.chat('count');
    const runId = await firstWord(frames);
    await stack.redis.flushall();
    const rest = await collect(frames);
    expect(ofType(rest, 'done')).toMatchObject([{ stop_reason: 'completed' }]);
    const repeated = rest.findLastIndex(({ data }) => data.type === 'attempt');
    expect(textOf(rest.slice(repeated + 1))).toBe(words.join(''));
    expect((await stack.resume(runId, undefined)).map(({ data }) => data.type)).toEqual([
      'run',
      'content',
      'done',
    ]);
  });

  it('is worked with as before: new messages, and a schedule for the next loss', async () => {
    await stack.redis.flushall();
    stack.model.play(() => ({ text: 'ok' }));
    expect(textOf(await collect((await stack.chat('hello')).frames))).toBe('ok');
    await until('the schedule', async () => (await stack.redis.exists('{copilot}:upkeep:repeat:reap')) === 1);
  });
});

describe('a Redis that comes back empty', () => {
  it('finds every run again: one in line, one at its tools, and one in a model call', async () => {
    await Promise.all(stack.tools.splice(0).map((tool) => tool.stop()));
    const words = Array.from({ length: 20 }, (_, n) => `${n} `);
    stack.model.play(
      strict((request) => {
        const text = JSON.stringify(request.messages);
        if (text.includes('Count')) return { text: words, pieceDelayMs: 200 };
        if (!text.includes('Work') || text.includes('call_id')) return { text: 'Done.' };
        return { calls: [config('e1')] };
      }),
    );
    const atTools = await start('Work', 'empty 1');
    const inLine = await start('Next', 'empty 1');
    await inStatus(atTools, 'waiting_tools');
    const { frames } = await stack.chat('Count', {});
    const counting = await firstWord(frames);
    const viewer = collect(frames);

    await redis.down();
    await redis.loseData();
    await redis.up();
    stack.startTool();

    for (const runId of [atTools, inLine, counting]) {
      expect(await ended(runId)).toMatchObject({ status: 'completed' });
    }
    expect(await sent('e1')).toBe(1);
    const seen = await viewer;
    expect(ofType(seen, 'done')).toHaveLength(1);
    const repeated = seen.findLastIndex(({ data }) => data.type === 'attempt');
    expect(textOf(seen.slice(repeated + 1))).toBe(words.join(''));
  });
});

describe('a lost job', () => {
  const jobs = (runId: string) => stack.redis.keys(`{copilot}:*${runId}*`);

  it('of a run that waits for a worker is made again', async () => {
    const agents = stack.agents.splice(0);
    await Promise.all(agents.map((agent) => agent.stop()));
    stack.model.play(() => ({ text: 'found' }));
    const runId = await start('hello', 'lost in the queue');
    await stack.redis.del(...(await jobs(runId)), '{copilot}:runs:wait');
    stack.startAgent();
    stack.startAgent();
    expect(await ended(runId)).toMatchObject({ status: 'completed', redeliveries: 1 });
  });

  it('of one call brings its run back for it, and leaves nothing in the queues', async () => {
    await Promise.all(stack.tools.splice(0).map((tool) => tool.stop()));
    stack.model.play(
      strict((_request, call) => (call === 1 ? { calls: [show('p1'), show('p2')] } : { text: 'Done.' })),
    );
    const runId = await start('Work', 'lost call');
    await inStatus(runId, 'waiting_tools');
    const [call] = await until('the jobs', async () => {
      const found = await stack.redis.keys(`{copilot}:tool-calls:${runId}-*`);
      return found.length > 0 && found.filter((key) => /-\d+-\d+$/.test(key));
    });
    await stack.redis.del(String(call));
    stack.startTool();
    expect(await ended(runId)).toMatchObject({ status: 'completed' });
    const leftBehind = async () =>
      (await stack.redis.zcard('{copilot}:runs:waiting-children')) +
      (await stack.redis.zcard('{copilot}:tool-calls:waiting-children'));
    await until('empty queues', async () => (await leftBehind()) === 0);
  });

  it('that would have ended a run at its deadline is made again', async () => {
    await Promise.all(stack.tools.splice(0).map((tool) => tool.stop()));
    stack.model.play(strict(() => ({ calls: [config('t1')] })));
    const response = await fetch(
      stack.chatUrl('/runs'),
      post({ message: 'Work', session_id: 'late', max_execution_time_seconds: 2 }),
    );
    const { run_id: runId } = (await response.json()) as { run_id: string };
    const viewer = collect(await follow(runId));
    await inStatus(runId, 'waiting_tools');
    const deadline = (await jobs(runId)).filter((key) => key.includes('deadline'));
    expect(deadline).toHaveLength(1);
    await stack.redis.del(...deadline);
    await stack.redis.del('{copilot}:runs:delayed');
    expect(await ended(runId)).toMatchObject({ status: 'completed', stop_reason: 'time_limit' });
    expect(ofType(await viewer, 'done')).toHaveLength(1);
    stack.startTool();
    expect(resultOf(await historyOf('late'), 't1')).toMatch(/time/);
    expect(await sent('t1')).toBe(0);
  });

  it('that is lost again and again ends its run, with the reason and the remedy', async () => {
    await Promise.all(stack.tools.splice(0).map((tool) => tool.stop()));
    stack.model.play(strict(() => ({ calls: [config('l1')] })));
    const runId = await start('Work', 'lost for good');
    const viewer = collect(await follow(runId));
    await inStatus(runId, 'waiting_tools');
    await database.pool.query('UPDATE runs SET redeliveries = 10 WHERE run_id = $1', [runId]);
    await stack.redis.flushall();
    expect(await ended(runId)).toMatchObject({ status: 'failed', error_code: 'delivery_lost' });
    const seen = await viewer;
    expect(String(ofType(seen, 'error')[0]?.error)).toMatch(/append-only.*send the message again/i);
    expect(ofType(seen, 'done')).toMatchObject([{ stop_reason: 'error' }]);
    stack.startTool();
    expect(resultOf(await historyOf('lost for good'), 'l1')).toMatch(/not executed/);
    expect(await sent('l1')).toBe(0);
  });
});

describe('healthy runs', () => {
  it('are left alone, however long they wait', async () => {
    await Promise.all(stack.tools.splice(0).map((tool) => tool.stop()));
    stack.model.play(
      strict((_request, call) => (call <= 3 ? { calls: [show(`h${call}`)] } : { text: 'Done.' })),
    );
    const waiting = [];
    for (const n of [1, 2, 3]) waiting.push(await start('Work', `healthy ${n}`));
    for (const runId of waiting) await inStatus(runId, 'waiting_tools');
    await database.pool.query(
      "UPDATE runs SET created_at = now() - interval '1 minute' WHERE ended_at IS NULL",
    );
    const before = await sweeps();
    await until('three more sweeps', async () => (await sweeps()) >= before + 3);
    for (const runId of waiting)
      expect(await row(runId)).toMatchObject({ redeliveries: 0, status: 'waiting_tools' });
    stack.startTool();
    for (const runId of waiting)
      expect(await ended(runId)).toMatchObject({ redeliveries: 0, status: 'completed' });
  });
});

describe('the upkeep', () => {
  it('goes on when a worker that had a share in it is killed', async () => {
    await stack.agents.shift()?.stop('SIGKILL');
    const before = await sweeps();
    await until('three more sweeps', async () => (await sweeps()) >= before + 3);
    stack.startAgent();
  });
});

describe('a worker that dies right after a run has ended', () => {
  it('leaves nothing: who gets the job next does what follows, old checkpoints included', async () => {
    stack.model.play(strict(() => ({ text: 'Done.' })));
    const runId = await start('Work', 'dead at the end');
    await ended(runId);
    const checkpoints = async () => {
      const { rows } = await database.pool.query<{ count: string }>(
        `SELECT count(*) FROM langgraph.checkpoints
         WHERE thread_id = 'session-' || (SELECT session FROM runs WHERE run_id = $1)`,
        [runId],
      );
      return Number(rows[0]?.count);
    };
    await until('one checkpoint', async () => (await checkpoints()) === 1);
    await database.pool.query(
      `INSERT INTO langgraph.checkpoints (thread_id, checkpoint_ns, checkpoint_id, checkpoint, metadata)
       SELECT thread_id, checkpoint_ns, '0', checkpoint, metadata FROM langgraph.checkpoints
       WHERE thread_id = 'session-' || (SELECT session FROM runs WHERE run_id = $1)`,
      [runId],
    );
    const queue = new Queue('runs', { connection: { url: stack.redisUrl }, prefix: '{copilot}' });
    await new RunQueue(queue).enqueue({ runId, enqueueNumber: 99 });
    await queue.close();
    await until('one checkpoint again', async () => (await checkpoints()) === 1);
  });
});

describe('after all that', () => {
  it('nothing is left behind in Postgres or Redis', async () => {
    const { rows } = await database.pool.query<{ left: string }>(
      `SELECT (SELECT count(*) FROM runs WHERE ended_at IS NULL)
            + (SELECT count(*) FROM tool_calls WHERE ended_at IS NULL)
            + (SELECT count(*) FROM run_tokens) AS left`,
    );
    expect(Number(rows[0]?.left)).toBe(0);
    // Deleted after the viewers have been told of the end.
    await until('one checkpoint a session', async () => {
      const found = await database.pool.query<{ old: string }>(
        'SELECT count(*) - count(DISTINCT thread_id) AS old FROM langgraph.checkpoints',
      );
      return Number(found.rows[0]?.old) === 0;
    });
    for (const key of await stack.redis.keys('*')) {
      if (key.startsWith('{copilot}:')) continue;
      expect({ key, expires: (await stack.redis.ttl(key)) > 0 }).toEqual({ key, expires: true });
    }
  });
});
