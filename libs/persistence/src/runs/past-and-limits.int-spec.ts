import { randomUUID } from 'node:crypto';
import { NO_USAGE, type Usage } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClaimLostError } from '../claim';
import { claimedRun, openStores, type Stores } from '../testing/stores';
import type { RunsRepository } from './runs.repository';

let stores: Stores;
let runs: RunsRepository;

beforeAll(async () => {
  stores = await openStores();
  ({ runs } = stores);
});

afterAll(() => stores.connection.pool.end());

const claimed = (userId: string, model: string) =>
  claimedRun(stores, {
    userId,
    model,
    prices: { input_price: 1.5, output_price: 2, currency: 'EUR' },
    limits: { requested: {}, effective: { max_iterations: 20, max_tool_calls: null }, maxSeconds: 60 },
  });

describe('a run', () => {
  it('keeps the prices that held when it was accepted', async () => {
    const { run } = await claimed(randomUUID(), 'gpt');
    expect((await runs.find(run.runId))?.prices).toEqual({
      input_price: 1.5,
      output_price: 2,
      currency: 'EUR',
    });
  });
});

describe('the usage of past runs', () => {
  const user = randomUUID();
  const ended = async (llm_calls: number, { userId = user, model = 'gpt' } = {}) => {
    const { claim } = await claimed(userId, model);
    const usage: Usage = { ...NO_USAGE, llm_calls };
    await runs.finish(claim, { status: 'completed', stopReason: 'completed', usage, messages: 2 });
  };

  it("is that of the user's own newest ended runs with the model that have called it", async () => {
    for (const llm_calls of [1, 2, 3, 0, 4]) await ended(llm_calls);
    await ended(9, { userId: randomUUID() });
    await ended(8, { model: 'another' });
    await claimed(user, 'gpt');
    const past = await runs.usageOfPast({ userId: user, model: 'gpt' }, 3);
    expect(past.map(({ llm_calls }) => llm_calls)).toEqual([4, 3, 2]);
  });
});

describe('adjusted limits', () => {
  it('are in the row, once, and leave alone what somebody has changed since', async () => {
    const { claim } = await claimed(randomUUID(), 'gpt');
    const steps = [
      { limit: 'max_iterations', from: 20, to: 6 },
      { limit: 'max_tool_calls', from: null, to: 9 },
    ];
    await expect(runs.adjustLimits(claim, steps)).resolves.toEqual({ max_iterations: 6, max_tool_calls: 9 });
    await runs.adjustLimits(claim, [{ limit: 'max_iterations', from: 6, to: 2 }]);
    await expect(runs.adjustLimits(claim, steps)).resolves.toEqual({ max_iterations: 2, max_tool_calls: 9 });
  });

  it('are refused to a worker that has lost the run', async () => {
    const { claim, run } = await claimed(randomUUID(), 'gpt');
    await runs.claim(run, 'another');
    await expect(runs.adjustLimits(claim, [])).rejects.toBeInstanceOf(ClaimLostError);
  });
});
