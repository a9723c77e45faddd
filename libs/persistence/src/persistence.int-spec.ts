import { randomUUID } from 'node:crypto';
import { NO_USAGE } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { claimedCheckpointer, threadId } from './checkpointer/checkpointer';
import { ClaimLostError } from './claim';
import { connect, isDatabaseUnavailable, type Connection } from './database';
import { migrate } from './migrate';
import { ModelConfigsRepository, VersionConflictError } from './model-configs/model-configs.repository';
import { RunTokens } from './runs/run-tokens';
import { RunsRepository, type RunOutcome } from './runs/runs.repository';
import { SecretBox } from './secret-box';
import { SessionNotFoundError } from './sessions/open-session';
import { ToolCallsRepository } from './tool-calls/tool-calls.repository';

const PROJECT = randomUUID();
const DONE: RunOutcome = { status: 'completed', stopReason: 'completed', usage: NO_USAGE, messages: 2 };

let connection: Connection;
let runs: RunsRepository;
let calls: ToolCallsRepository;
let configs: ModelConfigsRepository;

beforeAll(async () => {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set');
  await migrate(url);
  connection = connect(url, () => undefined);
  runs = new RunsRepository(
    connection,
    new RunTokens(connection, new SecretBox('a key of enough characters')),
  );
  calls = new ToolCallsRepository(connection);
  configs = new ModelConfigsRepository(connection, new SecretBox('a key of enough characters'));
});

afterAll(() => connection.pool.end());

function accept(sessionId: string = randomUUID(), message = 'hello', userId = 'user-1') {
  return runs.accept({
    projectId: PROJECT,
    userId,
    sessionId,
    message,
    copilotMode: 'teaching_assistant',
    modelConfigId: randomUUID(),
    model: 'gpt',
    prices: null,
    limits: { requested: { max_tool_calls: 3 }, effective: { max_tool_calls: 3 }, maxSeconds: 60 },
  });
}

async function claimed(sessionId?: string) {
  const { run } = await accept(sessionId);
  const result = await runs.claim(run, 'worker');
  if (!result) throw new Error('a new run can be claimed');
  return result;
}

describe('migrate', () => {
  it('changes nothing when it is run again, also by several at once', async () => {
    const url = process.env.DATABASE_URL ?? '';
    await expect(Promise.all([migrate(url), migrate(url), migrate(url)])).resolves.toHaveLength(3);
  });
});

describe('a session', () => {
  it('has its runs in line, one enqueued at a time', async () => {
    const sessionId = randomUUID();
    const [first, second, third] = [
      await accept(sessionId),
      await accept(sessionId),
      await accept(sessionId),
    ];
    expect([first, second, third].map(({ queuePosition }) => queuePosition)).toEqual([0, 1, 2]);
    expect([first, second, third].map(({ run }) => run.enqueueNumber)).toEqual([1, 0, 0]);
    expect(await runs.claim(second.run, 'worker')).toBeDefined();
  });

  it('is worked off in order when its head ends', async () => {
    const sessionId = randomUUID();
    const first = await claimed(sessionId);
    const second = await accept(sessionId);
    expect(await runs.headOfLine(first.session.id)).toBeUndefined();
    expect(await runs.positionInLine(second.run)).toBe(1);
    await runs.finish(first.claim, DONE);
    expect(await runs.positionInLine(second.run)).toBe(0);
    expect(await runs.headOfLine(first.session.id)).toEqual({ runId: second.run.runId, enqueueNumber: 1 });
    expect(await runs.headOfLine(first.session.id)).toMatchObject({ enqueueNumber: 1 });
  });

  it('counts a line right when messages come in at once', async () => {
    const sessionId = randomUUID();
    const accepted = await Promise.all(Array.from({ length: 8 }, () => accept(sessionId)));
    expect(accepted.map(({ queuePosition }) => queuePosition).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('is not found by another user', async () => {
    const sessionId = randomUUID();
    await accept(sessionId);
    await expect(accept(sessionId, 'hello', 'user-2')).rejects.toThrow(SessionNotFoundError);
  });

  it('adds up what its runs used and takes a generated title once', async () => {
    const first = await claimed();
    const usage = { ...NO_USAGE, llm_calls: 2, input_tokens: 30, output_tokens: 5 };
    await runs.finish(first.claim, { ...DONE, usage, title: 'First', messages: 4 });
    const second = await claimed(first.session.sessionId);
    await runs.finish(second.claim, { ...DONE, usage, title: 'Second', messages: 2 });
    const found = await runs.findOwned(second.run.runId, { projectId: PROJECT, userId: 'user-1' });
    expect(found?.session).toMatchObject({
      title: 'First',
      messageCount: 6,
      llmCallsCount: 4,
      inputTokens: 60,
      outputTokens: 10,
    });
  });

  it('B6: stores a message with NUL and lone surrogates', async () => {
    const { run } = await accept(randomUUID(), `\0\0a\ud83dz`);
    expect((await runs.find(run.runId))?.message).toBe('\ufffd\ufffda\ufffdz');
  });
});

describe('a claim', () => {
  it('raises the attempt, and tells a lost claim from one that was released', async () => {
    const first = await claimed();
    expect(first).toMatchObject({ claim: { attempt: 1 }, takenOver: false });
    const second = await runs.claim(first.run, 'other');
    expect(second).toMatchObject({ claim: { attempt: 2 }, takenOver: true });
    if (!second) throw new Error('claimed');
    await runs.release(second.claim, 'waiting_tools', NO_USAGE);
    expect(await runs.claim(first.run, 'third')).toMatchObject({ claim: { attempt: 3 }, takenOver: false });
  });

  it('sets the deadline with the first one, and counts the time by the clock of the database', async () => {
    const first = await claimed();
    expect(first).toMatchObject({ elapsedMs: 0, remainingMs: 60_000 });
    const second = await runs.claim(first.run, 'other');
    expect(second?.run.deadlineAt).toEqual(first.run.deadlineAt);
    expect((second?.elapsedMs ?? 0) + (second?.remainingMs ?? 0)).toBe(60_000);
    await calls.add(second?.claim ?? first.claim, [
      { callId: 'c', iteration: 1, position: 0, name: 'x', arguments: '' },
    ]);
    const call = await calls.claim(first.run.runId, 'c');
    expect(call?.remainingMs).toBeLessThanOrEqual(60_000);
    expect(call?.remainingMs).toBeGreaterThan(0);
    expect(Number.isInteger(call?.remainingMs)).toBe(true);
  });

  it('is released with what the run has used so far', async () => {
    const { claim, run } = await claimed();
    const usage = { ...NO_USAGE, llm_calls: 2, by_tool: { x: 1 } };
    await runs.release(claim, 'waiting_tools', usage);
    expect(await runs.find(run.runId)).toMatchObject({
      usage,
      requestedLimits: { max_tool_calls: 3 },
      effectiveLimits: { max_tool_calls: 3 },
    });
  });

  it('is refused for a stale delivery and for an ended run', async () => {
    const { run, claim } = await claimed();
    expect(await runs.claim({ runId: run.runId, enqueueNumber: 2 }, 'worker')).toBeUndefined();
    await runs.finish(claim, DONE);
    expect(await runs.claim(run, 'worker')).toBeUndefined();
  });

  it('once lost, writes nothing more: no end, no release, no call, no checkpoint', async () => {
    const former = await claimed();
    await runs.claim(former.run, 'other');
    const checkpoint = {
      v: 4,
      id: randomUUID(),
      ts: '',
      channel_values: {},
      channel_versions: {},
      versions_seen: {},
    };
    const thread = { configurable: { thread_id: threadId(former.session.id), checkpoint_ns: '' } };
    const saver = claimedCheckpointer(connection.pool, former.claim);

    await expect(runs.finish(former.claim, DONE)).rejects.toThrow(ClaimLostError);
    await expect(runs.release(former.claim, 'queued')).rejects.toThrow(ClaimLostError);
    await expect(
      calls.add(former.claim, [{ callId: 'c', iteration: 1, position: 0, name: 'x', arguments: '' }]),
    ).rejects.toThrow(ClaimLostError);
    await expect(
      saver.put(thread, checkpoint, { source: 'input', step: 0, parents: {} }, {}),
    ).rejects.toThrow(ClaimLostError);
    expect(await saver.getTuple(thread)).toBeUndefined();
    expect(await calls.ofRun(former.run.runId)).toEqual([]);
  });
});

describe('a withdrawn run', () => {
  it('leaves nothing behind, not even the session that was made for it', async () => {
    const { run, session } = await accept();
    expect(await runs.withdraw(run.runId)).toBe(true);
    expect(await runs.find(run.runId)).toBeUndefined();
    const again = await accept(session.sessionId);
    expect(again.session.id).not.toBe(session.id);
  });

  it('stays when a worker has it already', async () => {
    const { run } = await claimed();
    expect(await runs.withdraw(run.runId)).toBe(false);
    expect(await runs.find(run.runId)).toBeDefined();
  });
});

describe('a tool call', () => {
  const call = { callId: 'call_1', iteration: 1, position: 0, name: 'tool', arguments: '{}' };

  it('has one row, however often it is added', async () => {
    const { claim, run } = await claimed();
    await calls.add(claim, [call]);
    await calls.add(claim, [call]);
    expect(await calls.ofIteration(run.runId, 1)).toHaveLength(1);
  });

  it('says when a former worker had started it', async () => {
    const { claim, run } = await claimed();
    await calls.add(claim, [call]);
    expect(await calls.claim(run.runId, 'call_1')).toMatchObject({
      startedBefore: false,
      call: { attempt: 1 },
    });
    expect(await calls.claim(run.runId, 'call_1')).toMatchObject({
      startedBefore: true,
      call: { attempt: 2 },
    });
  });

  it('takes a result only from the newest worker, and once', async () => {
    const { claim, run } = await claimed();
    await calls.add(claim, [call]);
    const former = await calls.claim(run.runId, 'call_1');
    const newest = await calls.claim(run.runId, 'call_1');
    if (!former || !newest) throw new Error('claimed');
    const result = { status: 'succeeded', output: 'ok', retries: 2 } as const;
    expect(await calls.finish(former.call, result)).toBe(false);
    expect(await calls.finish(newest.call, result)).toBe(true);
    expect(await calls.finish(newest.call, result)).toBe(false);
    expect(await calls.claim(run.runId, 'call_1')).toBeUndefined();
    expect(await calls.find(run.runId, 'call_1')).toMatchObject({ retries: 2 });
  });

  it('of an ended run is not taken', async () => {
    const { claim, run } = await claimed();
    await calls.add(claim, [call]);
    await runs.finish(claim, DONE);
    expect(await calls.claim(run.runId, 'call_1')).toBeUndefined();
  });

  it('is found from its own session only, the newest of its id', async () => {
    const sessionId = randomUUID();
    const [first, other] = [await claimed(sessionId), await claimed()];
    await calls.add(first.claim, [call]);
    await runs.finish(first.claim, DONE);
    const second = await claimed(sessionId);
    await calls.add(second.claim, [call]);
    expect(await calls.findInSession(first.session.id, 'call_1')).toMatchObject({ runId: second.run.runId });
    expect(await calls.findInSession(other.session.id, 'call_1')).toBeUndefined();
  });

  it('D15: keeps digits and large outputs as they are', async () => {
    const { claim, run } = await claimed();
    await calls.add(claim, [{ ...call, arguments: '{"n":18446744073709551615}' }]);
    const taken = await calls.claim(run.runId, 'call_1');
    if (!taken) throw new Error('claimed');
    const output = `18446744073709551615 ${'x'.repeat(5_000_000)}`;
    await calls.finish(taken.call, { status: 'succeeded', output, retries: 0 });
    const row = await calls.find(run.runId, 'call_1');
    expect(row?.arguments).toBe('{"n":18446744073709551615}');
    expect(row?.output === output).toBe(true);
  });
});

describe('a checkpoint', () => {
  it('with a result of several megabytes is read back whole', async () => {
    const { claim, session } = await claimed();
    const saver = claimedCheckpointer(connection.pool, claim);
    const thread = { configurable: { thread_id: threadId(session.id), checkpoint_ns: '' } };
    const text = 'interface GigabitEthernet0/0 \u2713\n'.repeat(80_000);
    const checkpoint = {
      v: 4,
      id: '1f0a0000-0000-6000-8000-000000000000',
      ts: '',
      channel_values: { messages: text, empty: '' },
      channel_versions: { messages: 1, empty: 1 },
      versions_seen: {},
    };
    await saver.put(
      thread,
      checkpoint,
      { source: 'input', step: 0, parents: {} },
      checkpoint.channel_versions,
    );
    await saver.putWrites(
      { configurable: { ...thread.configurable, checkpoint_id: checkpoint.id } },
      [['messages', 'pending']],
      'task',
    );
    const tuple = await saver.getTuple(thread);
    expect(tuple?.checkpoint.channel_values).toEqual({ messages: text, empty: '' });
    expect(tuple?.pendingWrites).toEqual([['task', 'messages', 'pending']]);
  });
});

describe('model configs', () => {
  const input = {
    name: 'm',
    modelType: 'text',
    settings: { model: 'x', context_limit: 8 },
    apiKey: 'sk-secret-value',
    isDefault: true,
  };

  it('keeps the key sealed in the table and opens it for the call', async () => {
    const row = await configs.create({ userId: randomUUID() }, input);
    const stored = await connection.pool.query('SELECT * FROM model_configs WHERE config_id = $1', [
      row.configId,
    ]);
    expect(JSON.stringify(stored.rows)).not.toContain('sk-secret-value');
    expect(configs.apiKeyOf(row)).toBe('sk-secret-value');
  });

  it('has at most one default a user, also under concurrent changes', async () => {
    const userId = randomUUID();
    const rows = await Promise.all(Array.from({ length: 6 }, () => configs.create({ userId }, input)));
    await Promise.all(rows.map(({ configId }) => configs.setDefault({ userId }, configId)));
    expect((await configs.listOf({ userId })).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  it('leaves the old default when the new one is unknown', async () => {
    const userId = randomUUID();
    const { configId } = await configs.create({ userId }, input);
    expect(await configs.setDefault({ userId }, randomUUID())).toBeUndefined();
    expect(await configs.listOf({ userId })).toMatchObject([{ configId, isDefault: true }]);
  });

  it('refuses a change of a version that is not the current one', async () => {
    const userId = randomUUID();
    const { configId } = await configs.create({ userId }, input);
    expect(await configs.update({ userId }, configId, { name: 'n', expectedVersion: 0 })).toMatchObject({
      version: 1,
    });
    await expect(configs.update({ userId }, configId, { name: 'o', expectedVersion: 0 })).rejects.toThrow(
      VersionConflictError,
    );
  });
});

describe('what is learned about a model config', () => {
  const OWNER = { userId: randomUUID() };
  const count = (stored: unknown) => ({ calls: z.object({ calls: z.number() }).parse(stored).calls + 1 });
  const create = () =>
    configs.create(OWNER, {
      name: 'm',
      modelType: 'text',
      settings: { model: 'x', context_limit: 8 },
      apiKey: undefined,
      isDefault: false,
    });

  it('loses nothing when several learn at once, and is no new version of the config', async () => {
    const row = await create();
    await configs.updateLearning(row.configId, () => ({ calls: 0 }));
    await Promise.all(Array.from({ length: 8 }, () => configs.updateLearning(row.configId, count)));
    expect(await configs.find(row.configId)).toEqual({ ...row, contextLearning: { calls: 8 } });
  });

  it.each([
    ['another name', { name: 'n' }, { calls: 0 }],
    ['the same model again', { settings: { model: 'x' } }, { calls: 0 }],
    ['another model', { settings: { model: 'y' } }, null],
    ['another window', { settings: { context_limit: 16 } }, null],
  ])('after a change to %s: %j', async (_what, change, expected) => {
    const { configId } = await create();
    await configs.updateLearning(configId, () => ({ calls: 0 }));
    const updated = await configs.update(OWNER, configId, change);
    expect(updated?.contextLearning).toEqual(expected);
  });

  it('of a deleted config is nothing', async () => {
    await expect(configs.updateLearning(randomUUID(), count)).resolves.toBeUndefined();
  });
});

describe('isDatabaseUnavailable', () => {
  it('knows a refused connection', async () => {
    const away = connect('postgres://x:y@127.0.0.1:1/z', () => undefined, 1);
    const error: unknown = await away.db.execute('SELECT 1').catch((reason: unknown) => reason);
    await away.pool.end();
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('does not take a broken statement for it', async () => {
    const error: unknown = await connection.db.execute('SELECT nothing').catch((reason: unknown) => reason);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
