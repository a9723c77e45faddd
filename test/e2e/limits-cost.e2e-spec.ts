import { LOCAL_USER_ID } from '@copilot/contracts';
import { connect } from '@copilot/persistence';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Script, Turn } from '../fakes/scripted-model';
import { probe } from './support/limit-scripts';
import { limitedRun } from './support/limited-run';
import { collect, ofType } from './support/sse-client';
import { post, Stack } from './support/stack';

/** Prices of 1 and 2 a thousand tokens, so that a test's sums can be done in the head. */
const PRICES = { input_price: 1_000, output_price: 2_000, cached_input_price: 100, currency: 'USD' };
/** What the service adds for the title of a new conversation: 100 tokens in and 10 out. */
const TITLE = 0.12;

let stack: Stack;
let priced: string;

beforeAll(async () => {
  stack = await Stack.start();
  priced = await stack.createModelConfig({ base_url: stack.model.baseUrl, model: 'scripted', ...PRICES });
});

afterAll(() => stack.stop());

const run = (script: Script | readonly Turn[], limits: Record<string, unknown> = {}) =>
  limitedRun(stack, script, limits);

/** Asks for a tool each time, at a cost of 5 a call, for as long as it may. */
const spender: Script = ({ tool_choice }) => ({
  ...(tool_choice === 'none' ? { text: 'I stop here.' } : { calls: [probe()] }),
  promptTokens: 4_000,
  completionTokens: 500,
});

const runResource = async (runId: string): Promise<unknown> =>
  (await fetch(stack.chatUrl(`/runs/${runId}`))).json();

describe('the cost of a run', () => {
  it('is input, cached input and output at their prices, hidden calls included, in every place', async () => {
    const turns = [
      { calls: [probe()], promptTokens: 3_000, completionTokens: 20 },
      { text: 'Done.', promptTokens: 3_100, cachedTokens: 3_000, completionTokens: 30 },
    ];
    const { frames, done, runId } = await run(turns);
    expect(ofType(frames, 'limits').map(({ cost }) => cost)).toEqual([
      { used: 3.04, max: null, remaining: null, currency: 'USD' },
      { used: 3.5, max: null, remaining: null, currency: 'USD' },
    ]);
    expect(done).toMatchObject({
      usage: {
        input_tokens: 6_100,
        cached_input_tokens: 3_000,
        output_tokens: 50,
        overhead: { input_tokens: 100, output_tokens: 10 },
        cost: { amount: 3.5 + TITLE, currency: 'USD' },
      },
    });
    expect(await runResource(runId)).toMatchObject({ usage: { cost: { amount: 3.62, currency: 'USD' } } });
  });

  it('is in an answer in one piece too', async () => {
    stack.model.play([{ text: 'Yes.', promptTokens: 1_000, completionTokens: 5 }]);
    const answer = await (
      await fetch(stack.chatUrl('/stream'), post({ message: 'x', stream: false }))
    ).json();
    expect(answer).toMatchObject({ usage: { cost: { amount: 1.01 + TITLE, currency: 'USD' } } });
  });

  it('is nothing for a run that was cancelled in line, and not unknown', async () => {
    const session_id = 'cancelled in line';
    stack.model.play(() => ({ text: ['a', 'b', 'c'], pieceDelayMs: 300 }));
    const first = await stack.chat('First.', { session_id });
    const second = await stack.chat('Second.', { session_id });
    const opening = await second.frames.next();
    await fetch(stack.chatUrl(`/runs/${String(opening.value?.data.run_id)}/cancel`), { method: 'POST' });
    expect((await collect(second.frames)).at(-1)?.data).toMatchObject({
      stop_reason: 'aborted',
      usage: { llm_calls: 0, cost: { amount: 0, currency: 'USD' } },
    });
    await collect(first.frames);
  });

  it('counts for itself what a provider does not report, and says so', async () => {
    const { done } = await run([{ text: 'Yes.', withoutUsage: true }]);
    const { usage } = done as unknown as { usage: Record<string, number> & { cost: { amount: number } } };
    expect(usage).toMatchObject({ estimated: true });
    const { input_tokens: sent = 0, output_tokens: said = 0 } = usage;
    expect(usage.cost.amount).toBeCloseTo(sent / 1_000 + said / 500 + TITLE, 9);
  });
});

describe('max_cost', () => {
  it('warn: the last call that fits is the closing one, and there is an answer', async () => {
    const { requests, done, text, reached, frames } = await run(spender, { max_cost: 17 });
    expect(requests.map(({ tool_choice }) => tool_choice)).toEqual(['auto', 'auto', 'none']);
    expect(requests.at(-1)?.messages[0]?.content).toContain('cost limit of 17 USD (max_cost)');
    expect([text, done.stop_reason]).toEqual(['I stop here.', 'cost_limit']);
    expect(reached).toEqual(['cost_limit closing_call']);
    expect(ofType(frames, 'limit_reached')).toMatchObject([{ used: 10, max: 17, currency: 'USD' }]);
    expect(ofType(frames, 'limits').at(-1)).toMatchObject({ cost: { used: 15, max: 17, remaining: 2 } });
    expect(Number((done.usage as { cost: { amount: number } }).cost.amount)).toBeLessThanOrEqual(17);
  });

  it('warn: where no call fits any more, the service says so in a plain sentence', async () => {
    const script = [{ calls: [probe()], promptTokens: 16_000, completionTokens: 100 }];
    const { requests, done, text, reached } = await run(script, { max_cost: 17 });
    expect(requests).toHaveLength(1);
    expect(text).toContain('cost limit of 17 USD (max_cost). 1 tool call was made.');
    expect(done.stop_reason).toBe('cost_limit');
    expect(reached).toEqual(['cost_limit abort']);
  });

  it('fail: ends before the call that would go beyond it', async () => {
    const { requests, done, frames, runId } = await run(spender, { max_cost: 12, on_limit_reached: 'fail' });
    expect(requests).toHaveLength(2);
    expect(frames.slice(-2).map(({ data }) => data.type)).toEqual(['error', 'done']);
    expect(ofType(frames, 'error')).toMatchObject([
      { code: 'cost_limit', error: expect.stringContaining('cost limit of 12 USD (max_cost)') },
    ]);
    expect(done.stop_reason).toBe('cost_limit');
    expect(await runResource(runId)).toMatchObject({
      status: 'failed',
      stop_reason: 'cost_limit',
      requested_limits: { max_cost: 12 },
      effective_limits: { max_cost: 12 },
    });
  });

  it('continue: goes on and says so', async () => {
    const script = [spender, spender, spender].map((turn, call) => turn({ messages: [] }, call) as Turn);
    const limits = { max_cost: 6, on_limit_reached: 'continue' };
    const { requests, done, reached, text } = await run([...script, { text: 'Done.' }], limits);
    expect([requests.length, text, done.stop_reason]).toEqual([4, 'Done.', 'completed']);
    expect(reached).toEqual(['cost_limit continue']);
  });

  it('a run whose first call would cost more ends before it', async () => {
    const { requests, text, done, reached } = await run([{ text: 'Never.' }], { max_cost: 0.5 });
    expect(requests).toEqual([]);
    expect(text).toContain('cost limit of 0.5 USD');
    expect([done.stop_reason, reached]).toEqual(['cost_limit', ['cost_limit abort']]);
    expect(done).toMatchObject({ usage: { cost: { amount: 0, currency: 'USD' } } });
  });

  it('makes no title that it has no money for', async () => {
    const { done } = await run([{ text: 'Yes.', promptTokens: 9_990, completionTokens: 1 }], {
      max_cost: 10,
    });
    expect(done).toMatchObject({ stop_reason: 'completed', usage: { overhead: { input_tokens: 0 } } });
  });

  it('does not change with a price that is changed while the run is queued or works', async () => {
    const script: Script = async (_request, call) => {
      if (call === 1) await setPrices({ input_price: 900_000 });
      return call === 1
        ? { calls: [probe()], promptTokens: 1_000, completionTokens: 0 }
        : { text: 'Done.', promptTokens: 1_000, completionTokens: 0 };
    };
    try {
      const { frames } = await run(script, { max_cost: 50 });
      expect(ofType(frames, 'limits').at(-1)).toMatchObject({ cost: { used: 2 } });
    } finally {
      await setPrices(PRICES);
    }
  });
});

describe('an estimate', () => {
  const estimate = async (body: object, path = stack.chatUrl('/estimate')) => {
    const response = await fetch(path, post({ message: 'Work on the lab.', ...body }));
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('is sent before the first model call, with the counted input, what to expect, and what it may cost', async () => {
    const { frames, requests } = await run([{ text: 'Done.' }], { estimate_cost_before_execution: true });
    const types = frames.map(({ data }) => data.type);
    expect(types.filter((type) => type === 'cost_estimate')).toHaveLength(1);
    expect(types.indexOf('cost_estimate')).toBeLessThan(types.indexOf('context'));
    const [told] = ofType(frames, 'cost_estimate') as unknown as Estimate[];
    expect(told).toMatchObject({
      based_on_runs: expect.any(Number),
      reason: null,
      cost: { currency: 'USD' },
    });
    const { low = 0, expected = 0, high = 0 } = told?.cost ?? {};
    expect(low).toBeGreaterThan(0);
    expect([expected >= low, high >= expected]).toEqual([true, true]);
    expect(requests).toHaveLength(1);
  });

  it('comes from the estimate route under both paths too, which runs nothing and makes nothing', async () => {
    stack.model.play([]);
    const before = await counts();
    const session_id = 'only estimated';
    const [one, two] = await Promise.all([
      estimate({ session_id }),
      estimate({ session_id }, stack.url(`/v3/copilot/projects/${stack.lab.projectId}/chat/estimate`)),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.body).toEqual(two.body);
    expect(one.body).toMatchObject({ notes: [], reason: null, cost: { currency: 'USD' } });
    expect(await counts()).toEqual(before);
    expect(stack.model.requests).toEqual([]);
  });

  it('is the same as the one that the run sends, and the first call is as long as it says', async () => {
    const { body } = await estimate({});
    const { frames } = await run([{ text: 'Done.' }], { estimate_cost_before_execution: true });
    const [told] = ofType(frames, 'cost_estimate');
    expect(told).toMatchObject({ input_tokens: body.input_tokens, cost: body.cost });
    const [context] = ofType(frames, 'context');
    expect(Number(body.input_tokens)).toBe(Math.ceil(Number(context?.total) * Number(context?.correction)));
  });

  it('is the median of the runs that there were, within the limits that are asked for', async () => {
    const { body } = await estimate({ max_iterations: 1 });
    expect(body).toMatchObject({ expected_iterations: 1, expected_tool_calls: 0 });
    expect(Number(body.based_on_runs)).toBeGreaterThan(5);
  });

  it('counts the history of an existing session', async () => {
    const session_id = 'long talk';
    stack.model.play([{ text: 'A long answer. '.repeat(400) }]);
    await collect((await stack.chat('Tell me everything.', { session_id })).frames);
    const [fresh, old] = [await estimate({}), await estimate({ session_id })];
    expect(Number(old.body.input_tokens)).toBeGreaterThan(Number(fresh.body.input_tokens) + 800);
  });

  it.each([
    [{ message: '' }, 422, 'message must be a text'],
    [{ max_iterations: 0 }, 422, 'max_iterations must be a whole number from 1 to 100, got 0'],
    [{ max_cost: -1 }, 422, 'max_cost must be a number above 0'],
  ])('is refused as the chat itself: %j', async (fields, status, message) => {
    const answer = await estimate(fields);
    expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
  });

  it('has null costs and the reason where there are no prices', async () => {
    await stack.createModelConfig({ base_url: stack.model.baseUrl, model: 'scripted' });
    try {
      const { body } = await estimate({});
      expect(body).toMatchObject({ cost: null, reason: expect.stringContaining('has no prices') });
      expect(Number(body.input_tokens)).toBeGreaterThan(1_000);
      const { frames, done } = await run([{ text: 'Done.' }], { estimate_cost_before_execution: true });
      expect(ofType(frames, 'cost_estimate')).toMatchObject([{ cost: null }]);
      expect(done.stop_reason).toBe('completed');
    } finally {
      await chatWith(priced);
    }
  });
});

describe('bad input', () => {
  it.each([
    [{ max_cost: 0 }, 'max_cost must be a number above 0 and up to 1000000, got 0'],
    [{ max_cost: '5' }, 'max_cost must be a number above 0 and up to 1000000, got "5"'],
    [{ estimate_cost_before_execution: 1 }, 'estimate_cost_before_execution must be true or false, got 1'],
    [{ auto_adjust_limits: 'on' }, 'auto_adjust_limits must be true or false, got "on"'],
  ])('%j is refused, and nothing is enqueued', async (limits, message) => {
    await expectRefusal(limits, message);
  });

  it('max_cost without prices is refused with field, value and remedy, and nothing is enqueued', async () => {
    const plain = await stack.createModelConfig({ base_url: stack.model.baseUrl, model: 'scripted' });
    try {
      await expectRefusal({ max_cost: 0.05 }, 'max_cost must be a number above 0');
      const { message } = await expectRefusal({ max_cost: 0.05 }, "got 0.05: the model config 'e2e' has no");
      expect(message).toContain('input_price, output_price, currency');
      expect(message).toContain(`/llm-model-configs/${plain}`);
      const { done } = await run([{ text: 'Free of judgement.' }]);
      expect(done).toMatchObject({ stop_reason: 'completed', usage: { cost: null } });
    } finally {
      await chatWith(priced);
    }
  });
});

async function expectRefusal(limits: object, message: string): Promise<{ readonly message: string }> {
  stack.model.play([]);
  const session_id = `refused ${JSON.stringify(limits)}`;
  const response = await fetch(stack.chatUrl('/stream'), post({ message: 'x', session_id, ...limits }));
  const body = (await response.json()) as { message: string };
  expect([response.status, body]).toEqual([422, { message: expect.stringContaining(message) }]);
  expect(stack.logs()).not.toContain(session_id);
  expect(stack.model.requests).toEqual([]);
  return body;
}

interface Estimate {
  readonly cost: { readonly low: number; readonly expected: number; readonly high: number } | null;
}

/** Rows that a message would make. */
async function counts(): Promise<unknown> {
  const { pool } = connect(stack.databaseUrl, () => undefined, 1);
  try {
    const { rows } = await pool.query<{ runs: string; sessions: string }>(
      'SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM sessions) AS sessions',
    );
    return rows[0];
  } finally {
    await pool.end();
  }
}

async function chatWith(configId: string): Promise<void> {
  const url = stack.url(`/v3/users/${LOCAL_USER_ID}/llm-model-configs/default/${configId}`);
  expect((await fetch(url, { method: 'PUT' })).status).toBe(200);
}

async function setPrices(prices: object): Promise<void> {
  const url = stack.url(`/v3/users/${LOCAL_USER_ID}/llm-model-configs/${priced}`);
  const response = await fetch(url, { ...post(prices), method: 'PUT' });
  expect(response.status).toBe(200);
}
