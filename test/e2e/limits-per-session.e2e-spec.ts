import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Script, Turn } from '../fakes/scripted-model';
import { strict } from '../fakes/strict-provider';
import { probe, restless } from './support/limit-scripts';
import { collect, ofType, textOf } from './support/sse-client';
import { post, Stack } from './support/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(() => stack.stop());

const budgetUrl = (session_id: string, base = stack.chatUrl()) =>
  `${base}/sessions/${encodeURIComponent(session_id)}/budget`;

async function put(session_id: string, budget: object, base = stack.chatUrl()) {
  const response = await fetch(budgetUrl(session_id, base), { ...post(budget), method: 'PUT' });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function budgetOf(session_id: string): Promise<Record<string, unknown>> {
  return (await (await fetch(budgetUrl(session_id))).json()) as Record<string, unknown>;
}

async function say(session_id: string, script: Script | readonly Turn[], limits: object = {}) {
  const play = typeof script === 'function' ? script : (_: unknown, call: number) => script[call - 1] ?? {};
  stack.model.play(strict(play));
  return stack.chat('Work.', { session_id, ...limits });
}

async function run(session_id: string, script: Script | readonly Turn[], limits: object = {}) {
  const { frames: coming } = await say(session_id, script, limits);
  const frames = await collect(coming);
  const { stop_reason, usage } = frames.at(-1)?.data ?? { type: 'nothing' };
  return { frames, text: textOf(frames), done: { stop_reason, usage }, requests: [...stack.model.requests] };
}

async function refused(session_id: string) {
  const { response } = await say(session_id, [{ text: 'never' }]);
  return { status: response.status, body: (await response.json()) as object };
}

/** A session that has one run behind it: two model calls, one tool call. */
async function begun(): Promise<string> {
  const session_id = `budget ${randomUUID()}`;
  await run(session_id, [{ calls: [probe()] }, { text: 'First.' }]);
  return session_id;
}

describe('a budget', () => {
  it('shows what is used and what is left, and is set, kept and taken away field by field', async () => {
    const session_id = await begun();
    const used = { tool_calls: 1, llm_calls: 2, tokens: 220, cost: 0 };
    const none = { max_total_llm_calls: null, max_total_tokens: null, max_total_cost: null };
    expect(await budgetOf(session_id)).toEqual({
      session_id,
      ...{ max_total_tool_calls: null, ...none },
      used,
      remaining: { max_total_tool_calls: null, ...none },
    });
    expect(await put(session_id, { max_total_tool_calls: 5, max_total_cost: 0.5 })).toMatchObject({
      status: 200,
      body: { max_total_tool_calls: 5, max_total_cost: 0.5, remaining: { max_total_tool_calls: 4 } },
    });
    expect(await put(session_id, { max_total_llm_calls: 9, max_total_cost: null })).toMatchObject({
      body: { max_total_tool_calls: 5, max_total_llm_calls: 9, max_total_cost: null, used },
    });
    const other = stack.url(`/v3/copilot/projects/${stack.lab.projectId}/chat`);
    expect(await (await fetch(budgetUrl(session_id, other))).json()).toEqual(await budgetOf(session_id));
  });

  it('of an unknown session, or of one in another project: 404', async () => {
    const session_id = await begun();
    const elsewhere = stack.chatUrl('', { projectId: randomUUID() });
    expect(await put('nobody', { max_total_tokens: 5 })).toEqual({
      status: 404,
      body: { message: "Session 'nobody' not found" },
    });
    expect((await put(session_id, { max_total_tokens: 5 }, elsewhere)).status).toBe(404);
    expect((await fetch(budgetUrl(session_id, elsewhere))).status).toBe(404);
    expect(await budgetOf(session_id)).toMatchObject({ max_total_tokens: null });
  });

  it.each([
    [{ max_total_tool_calls: 0 }, 'max_total_tool_calls must be a whole number from 1 to 1000000, got 0'],
    [{ max_total_llm_calls: 1.5 }, 'max_total_llm_calls must be a whole number from 1 to 1000000, got 1.5'],
    [{ max_total_tokens: '9' }, 'max_total_tokens must be a whole number from 1 to 1000000000000, got "9"'],
    [{ max_total_cost: 0 }, 'max_total_cost must be a number above 0 and up to 1000000, got 0'],
    [{}, 'Name at least one budget: max_total_tool_calls'],
  ])('%j is a 422 that names field, range and value', async (budget, message) => {
    expect(await put('whichever', budget)).toEqual({
      status: 422,
      body: { message: expect.stringContaining(message) },
    });
  });

  it('that is good beside one that is not is not set either', async () => {
    const session_id = await begun();
    expect((await put(session_id, { max_total_tokens: 900, max_total_llm_calls: -1 })).status).toBe(422);
    expect(await budgetOf(session_id)).toMatchObject({ max_total_tokens: null, max_total_llm_calls: null });
  });
});

describe('a message on a session that has used up a budget', () => {
  it.each([
    [{ max_total_tool_calls: 1 }, 'max_total_tool_calls: 1 of 1'],
    [{ max_total_llm_calls: 2 }, 'max_total_llm_calls: 2 of 2'],
    [{ max_total_tokens: 200 }, 'max_total_tokens: 220 of 200'],
  ])('%j: 429 that names it, and no run; after it is raised the session goes on', async (budget, named) => {
    const session_id = await begun();
    await put(session_id, budget);
    expect(await refused(session_id)).toEqual({
      status: 429,
      body: { message: expect.stringContaining(named) },
    });
    expect(stack.model.requests).toEqual([]);
    expect(await budgetOf(session_id)).toMatchObject({ used: { llm_calls: 2 } });
    await put(session_id, Object.fromEntries(Object.keys(budget).map((name) => [name, null])));
    expect((await run(session_id, [{ text: 'Again.' }])).text).toBe('Again.');
  });
});

describe('a run that comes to a budget of its session', () => {
  it('max_total_llm_calls: the last call that is left is the closing one', async () => {
    const session_id = await begun();
    await put(session_id, { max_total_llm_calls: 5 });
    const { requests, done, frames, text } = await run(session_id, restless);
    expect(requests.map(({ tool_choice }) => tool_choice)).toEqual(['auto', 'auto', 'none']);
    expect(requests[2]?.messages[0]?.content).toContain('its budget of 5 model calls (max_total_llm_calls)');
    expect([text, done.stop_reason]).toEqual(['I stop here.', 'max_iterations']);
    expect(ofType(frames, 'limit_reached')).toMatchObject([
      { limit: 'max_iterations', budget: 'max_total_llm_calls', used: 5, max: 5, action: 'closing_call' },
    ]);
    expect((await refused(session_id)).status).toBe(429);
  });

  it('max_total_tool_calls, with fail: what is left runs, and the run fails', async () => {
    const session_id = await begun();
    await put(session_id, { max_total_tool_calls: 3 });
    const { frames, done } = await run(session_id, [{ calls: [probe(), probe(), probe()] }], {
      on_limit_reached: 'fail',
    });
    expect(ofType(frames, 'tool_start')).toHaveLength(2);
    expect(ofType(frames, 'tool_end').map(({ tool_output }) => String(tool_output))).toContainEqual(
      expect.stringContaining('Current tool call count of the session: 3/3.'),
    );
    expect(ofType(frames, 'error')).toMatchObject([{ code: 'max_tool_calls' }]);
    expect(done).toMatchObject({ stop_reason: 'max_tool_calls', usage: { tool_calls: 2 } });
  });

  it('max_total_tokens: it stops before a call that would go beyond them', async () => {
    const session_id = await begun();
    await put(session_id, { max_total_tokens: 230 });
    const { requests, done, text, frames } = await run(session_id, restless, {
      on_limit_reached: 'continue',
    });
    expect([requests.length, done.stop_reason]).toEqual([0, 'cost_limit']);
    expect(text).toContain('its budget of 230 tokens (max_total_tokens)');
    expect(ofType(frames, 'limit_reached')).toMatchObject([
      { limit: 'cost_limit', budget: 'max_total_tokens', used: 220, max: 230, action: 'abort' },
    ]);
  });

  it('a budget that is set while it works holds from the next step', async () => {
    const session_id = await begun();
    const { requests, done } = await run(session_id, async (request, call) => {
      if (call === 2) await put(session_id, { max_total_llm_calls: 5 });
      return await restless(request, call);
    });
    expect([requests.length, done.stop_reason]).toEqual([3, 'max_iterations']);
  });

  it('of runs in line, the later one has what the earlier one leaves', async () => {
    const session_id = await begun();
    await put(session_id, { max_total_llm_calls: 4 });
    stack.model.play(({ tool_choice }) =>
      tool_choice === 'none' ? { text: 'I stop here.' } : { calls: [probe()], delayMs: 300 },
    );
    const first = await stack.chat('First.', { session_id });
    const second = await stack.chat('Second.', { session_id });
    expect((await collect(first.frames)).at(-1)?.data).toMatchObject({ usage: { llm_calls: 2 } });
    const frames = await collect(second.frames);
    expect(frames.at(-1)?.data).toMatchObject({ stop_reason: 'max_iterations', usage: { llm_calls: 0 } });
    expect(textOf(frames)).toContain('its budget of 4 model calls');
    expect(stack.model.requests).toHaveLength(2);
  });
});

describe('max_total_cost', () => {
  it('is counted from the prices of the model config, and ends a run before the call beyond it', async () => {
    await stack.createModelConfig({
      base_url: stack.model.baseUrl,
      model: 'scripted',
      input_price: 1_000,
      output_price: 1_000,
      currency: 'EUR',
    });
    const session_id = await begun();
    const before = (await budgetOf(session_id)).used as { cost: number };
    expect(before.cost).toBeGreaterThanOrEqual(0.22);
    await put(session_id, { max_total_cost: before.cost + 0.001 });
    const { requests, done, text } = await run(session_id, restless);
    expect([requests.length, done.stop_reason]).toEqual([0, 'cost_limit']);
    expect(text).toContain('(max_total_cost)');
    await put(session_id, { max_total_cost: before.cost });
    expect(await refused(session_id)).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('max_total_cost') },
    });
  });
});
