import { randomUUID } from 'node:crypto';
import { TOOL_NAMES } from '@copilot/contracts';
import { connect } from '@copilot/persistence';
import { Queue } from '@copilot/queues';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScriptedCall } from '../fakes/scripted-model';
import { strict } from '../fakes/strict-provider';
import {
  approve,
  decide,
  edit,
  newSession,
  playCalls,
  reject,
  resultsFor,
  runOf,
  untilDone,
  untilWaiting,
} from './support/approvals';
import { CONFIG, SHOW, show } from './support/limit-scripts';
import { collect, ofType, textOf } from './support/sse-client';
import { post, Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ agents: 2, tools: 2 });
});

afterAll(() => stack.stop());

beforeEach(() => stack.clearLabCommands());

const lines = (device_name: string, ...config_commands: string[]) => ({
  device_configs: [{ device_name, config_commands }],
});
const config = (id: string, device_name = 'R1'): ScriptedCall => ({
  id,
  name: CONFIG,
  args: lines(device_name, `ip host ${id} 192.0.2.1`),
});

async function hostLines(): Promise<string[]> {
  return (await stack.labCommands()).map(({ line }) => line).filter((line) => line.startsWith('ip host'));
}

/** Jobs that somebody works on, or that wait for one another. */
async function busyJobs(): Promise<number> {
  const counts = await Promise.all([
    stack.redis.llen('{copilot}:runs:active'),
    stack.redis.llen('{copilot}:runs:wait'),
    stack.redis.zcard('{copilot}:runs:waiting-children'),
    stack.redis.llen('{copilot}:tool-calls:active'),
    stack.redis.llen('{copilot}:tool-calls:wait'),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('a call that needs approval', () => {
  it('waits without a worker or a job, is shown with what it would send, and runs when it is approved', async () => {
    const id = `ok${Date.now()}`;
    const run = await untilWaiting(stack, [config(id)]);
    const preview = [{ device_name: 'R1', lines: [`+ ip host ${id} 192.0.2.1`] }];
    const args = lines('R1', `ip host ${id} 192.0.2.1`);
    expect(run.required).toMatchObject({
      calls: [{ tool_call_id: id, tool_name: CONFIG, arguments: args, preview }],
    });
    const leftMs = Date.parse(String(run.required.expires_at)) - Date.now();
    expect(leftMs).toBeGreaterThan(86_000_000);
    expect(leftMs).toBeLessThanOrEqual(86_400_000);
    while ((await busyJobs()) > 0);
    expect(await runOf(stack, run.runId)).toMatchObject({
      status: 'waiting_approval',
      approval_tools: [CONFIG, 'execute_vpcs_commands'],
      approvals: [{ tool_call_id: id, state: 'pending', preview, decided_by: null }],
      tool_calls: [{ id, status: 'pending' }],
    });
    expect(await hostLines()).toEqual([]);

    const answer = await decide(stack, run.runId, [approve(id)]);
    expect(answer).toMatchObject({
      status: 200,
      body: { approvals: [{ state: 'approved' }], approval_expires_at: null },
    });
    const types = (await untilDone(run)).map(({ data }) => data.type);
    expect(types.indexOf('approval_decided')).toBeLessThan(types.indexOf('tool_start'));
    expect(await hostLines()).toEqual([`ip host ${id} 192.0.2.1`]);
    expect(await runOf(stack, run.runId)).toMatchObject({
      status: 'completed',
      tool_calls: [{ status: 'succeeded' }],
      usage: { tool_calls: 1, refused_tool_calls: 0 },
    });
  });

  it('runs as a person has edited it, and the model is told', async () => {
    const id = `ed${Date.now()}`;
    const run = await untilWaiting(stack, [config(id)]);
    const faulty = [
      edit(id, { device_configs: [] }),
      edit(id, { device_configs: [{ device_name: 'R1', commands: ['x'] }] }),
      edit(id, { ...lines('R1', 'x'), project_id: randomUUID() }),
      { tool_call_id: id, decision: 'edit' },
      { ...approve(id), arguments: lines('R1', 'x') },
    ];
    for (const decision of faulty) {
      const { status, body } = await decide(stack, run.runId, [decision]);
      expect({ status, message: body.message }).toEqual({
        status: 422,
        message: expect.stringContaining('arguments'),
      });
    }
    const edited = lines('R1', `ip host ${id} 192.0.2.99`, 'reload');
    expect(await decide(stack, run.runId, [edit(id, edited)])).toMatchObject({
      status: 200,
      body: {
        approvals: [
          {
            state: 'approved',
            arguments: edited,
            original_arguments: config(id).args,
            decided_by: expect.any(String),
            decided_at: expect.any(String),
          },
        ],
      },
    });
    const frames = await untilDone(run);
    expect(ofType(frames, 'approval_decided')).toMatchObject([{ decision: 'approved', arguments: edited }]);
    // The filter of the tool worker holds for people too.
    expect((await stack.labCommands()).filter(({ line }) => line === 'reload')).toEqual([]);
    expect(await hostLines()).toEqual([`ip host ${id} 192.0.2.99`]);
    const [result] = resultsFor(stack);
    expect(result).toContain('a person changed the arguments');
    expect(result).toContain('192.0.2.99');
    expect(result).toContain('is not allowed');
  });

  it('is answered with the reason when it is rejected, and has no start', async () => {
    const id = `no${Date.now()}`;
    const run = await untilWaiting(stack, [config(id)]);
    expect((await decide(stack, run.runId, [reject(id, 'R1 is in use until noon')])).status).toBe(200);
    const frames = await untilDone(run);
    expect(ofType(frames, 'tool_start')).toEqual([]);
    expect(ofType(frames, 'tool_end')).toMatchObject([{ tool_call_id: id }]);
    expect(ofType(frames, 'approval_decided')).toMatchObject([
      { decision: 'rejected', reason: 'R1 is in use until noon' },
    ]);
    expect(resultsFor(stack)).toEqual([expect.stringContaining('The reason: R1 is in use until noon')]);
    expect(await hostLines()).toEqual([]);
    expect(await runOf(stack, run.runId)).toMatchObject({
      tool_calls: [{ status: 'rejected' }],
      usage: { tool_calls: 0, refused_tool_calls: 1, by_tool: {} },
    });
  });

  it('keeps the others of its turn waiting, and all run in order when the last is decided', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `mix${name}${Date.now()}`) as [string, string, string];
    const calls = [config(a), { ...show('R1', 'show clock'), id: `${a}s` }, config(b), config(c)];
    const run = await untilWaiting(stack, calls, { max_parallel_tools: 1 });
    expect(run.required.calls).toMatchObject([{ tool_call_id: a }, { tool_call_id: b }, { tool_call_id: c }]);
    await decide(stack, run.runId, [approve(a), reject(b, 'not this one')]);
    expect(await runOf(stack, run.runId)).toMatchObject({
      status: 'waiting_approval',
      approvals: [{ state: 'approved' }, { state: 'rejected' }, { state: 'pending' }],
    });
    expect(await stack.labCommands()).toEqual([]);
    await decide(stack, run.runId, [edit(c, lines('R1', `ip host ${c} 192.0.2.3`))]);
    const frames = await untilDone(run);
    expect(ofType(frames, 'tool_start').map(({ tool_call_id }) => tool_call_id)).toEqual([a, `${a}s`, c]);
    expect(
      ofType(frames, 'tool_end')
        .map(({ tool_call_id }) => tool_call_id)
        .sort(),
    ).toEqual([a, `${a}s`, b, c].sort());
    expect(await hostLines()).toEqual([`ip host ${a} 192.0.2.1`, `ip host ${c} 192.0.2.3`]);
    expect(resultsFor(stack)).toEqual([
      expect.stringContaining(a),
      expect.stringContaining('show clock'),
      expect.stringContaining('not this one'),
      expect.stringContaining('192.0.2.3'),
    ]);
    expect(frames.at(-1)?.data).toMatchObject({ usage: { tool_calls: 3, refused_tool_calls: 1 } });
  });

  it('is rejected when nobody decides in time, and the run goes on', async () => {
    const [a, b] = [`ex${Date.now()}`, `ey${Date.now()}`];
    const run = await untilWaiting(stack, [config(a), config(b)], { approval_timeout_seconds: 1 });
    await decide(stack, run.runId, [approve(a)]);
    const frames = await untilDone(run);
    expect(ofType(frames, 'approval_decided')).toMatchObject([
      { tool_call_id: a, decision: 'approved' },
      { tool_call_id: b, decision: 'expired', by: null },
    ]);
    expect(resultsFor(stack)[1]).toContain('nobody decided in time');
    expect(await hostLines()).toEqual([`ip host ${a} 192.0.2.1`]);
    const late = await decide(stack, run.runId, [approve(b)]);
    expect(late).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('already expired') },
    });
  });

  it('is not run by a job that comes without an approval', async () => {
    const id = `stray${Date.now()}`;
    const run = await untilWaiting(stack, [config(id)]);
    const queue = new Queue('tool-calls', { connection: { url: stack.redisUrl }, prefix: '{copilot}' });
    const job = await queue.add('execute-tool-call', { runId: run.runId, callId: id });
    while (!(await job.isCompleted()));
    await queue.close();
    expect(await runOf(stack, run.runId)).toMatchObject({ tool_calls: [{ status: 'pending' }] });
    expect(await stack.labCommands()).toEqual([]);
    await decide(stack, run.runId, [approve(id)]);
    await untilDone(run);
    expect(await hostLines()).toHaveLength(1);
  });

  it('is refused by the tool worker, whatever brought it there, when its row does not say "approved"', async () => {
    const id = `rowless${Date.now()}`;
    const run = await untilWaiting(stack, [config(id)]);
    const queue = new Queue('tool-calls', { connection: { url: stack.redisUrl }, prefix: '{copilot}' });
    const database = connect(stack.databaseUrl, () => undefined, 1);
    try {
      await queue.pause();
      await decide(stack, run.runId, [approve(id)]);
      while ((await queue.getJobCounts('wait')).wait === 0);
      await database.pool.query('UPDATE tool_calls SET approval = NULL WHERE run_id = $1', [run.runId]);
    } finally {
      await queue.resume();
      await Promise.all([queue.close(), database.pool.end()]);
    }
    expect(ofType(await untilDone(run), 'tool_start')).toEqual([]);
    expect(resultsFor(stack)).toEqual([
      expect.stringContaining('needs the approval of a person and has none'),
    ]);
    expect(await stack.labCommands()).toEqual([]);
  });
});

describe('decisions', () => {
  it('may be sent again, and not be changed', async () => {
    const [a, b] = [`ida${Date.now()}`, `idb${Date.now()}`];
    const run = await untilWaiting(stack, [config(a), config(b)]);
    const first = await decide(stack, run.runId, [approve(a)]);
    expect(await decide(stack, run.runId, [approve(a)])).toEqual(first);
    for (const other of [reject(a), edit(a, lines('R1', 'x'))]) {
      const { status, body } = await decide(stack, run.runId, [other, approve(b)]);
      expect({ status, message: body.message }).toEqual({
        status: 409,
        message: expect.stringContaining('already approved'),
      });
    }
    expect(await runOf(stack, run.runId)).toMatchObject({
      approvals: [{ state: 'approved' }, { state: 'pending' }],
    });
    expect(await decide(stack, run.runId, [approve('no_such_call')])).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining(`those that wait are ${b}`) },
    });
    const answers = await Promise.all([
      decide(stack, run.runId, [approve(b)]),
      decide(stack, run.runId, [approve(b)]),
      decide(stack, run.runId, [reject(b, 'no')]),
    ]);
    const statuses = answers.map(({ status }) => status).sort();
    expect([
      [200, 200, 409],
      [200, 409, 409],
    ]).toContainEqual(statuses);
    const frames = await untilDone(run);
    expect(ofType(frames, 'approval_decided')).toHaveLength(2);
    expect((await decide(stack, run.runId, [approve(a)])).status).toBe(200);
    expect((await decide(stack, run.runId, [reject(a)])).status).toBe(409);
  });

  it('are 404 for an unknown run and one of another project, 422 for a call of a run without any', async () => {
    const id = `who${Date.now()}`;
    const run = await untilWaiting(stack, [config(id)]);
    const elsewhere = stack.chatUrl('', { projectId: randomUUID() });
    expect((await decide(stack, run.runId, [approve(id)], elsewhere)).status).toBe(404);
    expect((await decide(stack, randomUUID(), [approve(id)])).status).toBe(404);
    const other = stack.url(`/v3/copilot/projects/${stack.lab.projectId}/chat`);
    expect((await decide(stack, run.runId, [reject(id)], other)).status).toBe(200);
    await untilDone(run);
    playCalls(stack, []);
    const frames = await collect((await stack.chat('Work.', {})).frames);
    const { status } = await decide(stack, String(frames[0]?.data.run_id), [approve(id)]);
    expect(status).toBe(422);
  });
});

describe('a run that waits for a person', () => {
  it('is cancelled at once, and its session goes on', async () => {
    const times: number[] = [];
    for (const n of [1, 2, 3, 4, 5]) {
      const id = `can${n}${Date.now()}`;
      const session_id = newSession();
      const run = await untilWaiting(stack, [config(id)], { session_id });
      const begun = performance.now();
      const cancelled = await fetch(stack.chatUrl(`/runs/${run.runId}/cancel`), { method: 'POST' });
      times.push(performance.now() - begun);
      expect(await cancelled.json()).toMatchObject({
        status: 'cancelled',
        stop_reason: 'aborted',
        approvals: [{ state: 'withdrawn' }],
        approval_expires_at: null,
      });
      for await (const frame of run.rest) run.frames.push(frame);
      expect(run.frames.slice(-2).map(({ data }) => data.type)).toEqual(['abort', 'done']);
      expect((await decide(stack, run.runId, [approve(id)])).status).toBe(409);
      stack.model.play(strict(() => ({ text: 'Here I am.' })));
      expect(textOf(await collect((await stack.chat('And now?', { session_id })).frames))).toBe('Here I am.');
    }
    // 200 ms where nothing else has the processors; the quickest says most of the service itself.
    expect(Math.min(...times)).toBeLessThan(500);
    // The end of the wait, a day from now, is not waited for any more.
    expect(await stack.redis.zcard('{copilot}:runs:delayed')).toBe(0);
    process.stdout.write(`cancelled after ${times.map(Math.round).join(', ')} ms\n`);
    expect(await hostLines()).toEqual([]);
  });

  it('holds its session’s line', async () => {
    const id = `line${Date.now()}`;
    const session_id = newSession();
    const run = await untilWaiting(stack, [config(id)], { session_id });
    const { frames } = await stack.chat('Next.', { session_id });
    const { value } = await frames.next();
    expect(value?.data).toMatchObject({ type: 'run', queue_position: 1 });
    await decide(stack, run.runId, [approve(id)]);
    await untilDone(run);
    expect(textOf(await collect(frames))).toBe('Done.');
  });

  it('is there after every process was killed, and goes on', async () => {
    const id = `kill${Date.now()}`;
    const run = await untilWaiting(stack, [config(id)]);
    // At once: the worker may still be between the event and the end of its job.
    const victims = [...stack.agents.splice(0), ...stack.tools.splice(0), ...stack.gateways];
    await Promise.all(victims.map((victim) => victim.stop('SIGKILL')));
    await Promise.resolve(collect(run.rest)).catch(() => undefined);
    stack.startGateway(0);
    stack.startAgent();
    stack.startTool();
    await stack.ready();
    expect(await runOf(stack, run.runId)).toMatchObject({ status: 'waiting_approval' });
    expect((await decide(stack, run.runId, [approve(id)])).status).toBe(200);
    const frames = await stack.resume(run.runId, undefined);
    expect(frames.at(-1)?.data).toMatchObject({ type: 'done', stop_reason: 'completed' });
    expect(ofType(frames, 'approval_required')).toHaveLength(1);
    expect(ofType(frames, 'approval_decided')).toHaveLength(1);
    expect(await hostLines()).toEqual([`ip host ${id} 192.0.2.1`]);
  });

  it('goes on when its worker is killed between the decision and the call', async () => {
    const id = `mid${Date.now()}`;
    for (const tool of stack.tools.splice(0)) await tool.stop();
    const run = await untilWaiting(stack, [config(id)]);
    await decide(stack, run.runId, [approve(id)]);
    while ((await stack.redis.zcard('{copilot}:runs:waiting-children')) === 0);
    for (const agent of stack.agents.splice(0)) await agent.stop('SIGKILL');
    stack.startAgent();
    stack.startTool();
    await stack.ready();
    await untilDone(run);
    expect(await hostLines()).toEqual([`ip host ${id} 192.0.2.1`]);
  });
});

describe('an approval policy', () => {
  it('may name tools, also those that only read', async () => {
    const id = `list${Date.now()}`;
    const calls = [{ ...show('R1', 'show clock'), id }, config(`${id}c`)];
    const run = await untilWaiting(stack, calls, { approval_policy: [SHOW] });
    expect(run.required.calls).toMatchObject([
      { tool_call_id: id, preview: [{ device_name: 'R1', lines: ['+ show clock'] }] },
    ]);
    await decide(stack, run.runId, [approve(id)]);
    expect(ofType(await untilDone(run), 'tool_start')).toHaveLength(2);
  });

  it('that names an unknown tool is a 422 that lists the known ones', async () => {
    const bodies = [{ approval_policy: [SHOW, 'no_such_tool'] }, { approval_policy: 'always' }];
    for (const body of bodies) {
      const { response } = await stack.chat('Work.', body);
      const { message } = (await response.json()) as { message: string };
      expect(response.status).toBe(422);
      expect(message).toContain('approval_policy must be never, config_tools, all_changing_tools or a list');
      if (Array.isArray(body.approval_policy)) expect(message).toContain(TOOL_NAMES.join(', '));
    }
    const { response } = await stack.chat('Work.', { approval_timeout_seconds: 0 });
    expect(response.status).toBe(422);
  });

  it('of the model config holds, whatever the request says', async () => {
    const configUrl = stack.url('/v3/users/00000000-0000-4000-8000-000000000001/llm-model-configs');
    const own = (await (await fetch(`${configUrl}/own`)).json()) as { configs?: { config_id: string }[] } & {
      config_id: string;
    }[];
    const configId = (own.configs ?? own)[0]?.config_id;
    const setPolicy = async (approval_policy: unknown) =>
      (await fetch(`${configUrl}/${configId}`, { ...post({ approval_policy }), method: 'PUT' })).status;
    expect(await setPolicy(['no_such_tool'])).toBe(422);
    expect(await setPolicy('all_changing_tools')).toBe(200);
    try {
      const id = `conf${Date.now()}`;
      const run = await untilWaiting(stack, [config(id)], { approval_policy: 'never' });
      await decide(stack, run.runId, [reject(id)]);
      await untilDone(run);
    } finally {
      expect(await setPolicy('never')).toBe(200);
    }
    playCalls(stack, [config(`free${Date.now()}`)]);
    const frames = await collect((await stack.chat('Work.', {})).frames);
    expect(ofType(frames, 'approval_required')).toEqual([]);
    expect(ofType(frames, 'tool_start')).toHaveLength(1);
  });
});
