import { describe, expect, it, jest } from '@jest/globals';
import { NOTHING_LEARNED, type ContextLearning } from '@copilot/context-budget';
import { createLogger } from '@copilot/observability';
import { ConfigLearning } from './config-learning';

function learningOf(stored: unknown) {
  const log = createLogger('test', 'silent');
  const warn = jest.spyOn(log, 'warn');
  const store = { value: stored, away: false };
  const learning = new ConfigLearning(
    stored,
    async (change) => {
      if (store.away) throw new Error('no database');
      store.value = change(store.value);
    },
    log,
  );
  return { learning, store, warn };
}

describe('ConfigLearning', () => {
  it('stores each lesson on top of what other runs have stored meanwhile', async () => {
    const { learning, store } = learningOf(null);
    await learning.fromCall(1_000, 1_200);
    store.value = { ...NOTHING_LEARNED, ratio: 1.2, observations: 7 } satisfies ContextLearning;
    await learning.fromCall(1_000, 1_200);
    expect(store.value).toEqual({ ratio: 1.2, observations: 8, budgetFactor: 1 });
    expect(learning.current).toEqual(store.value);
  });

  it('leaves the row alone when a well-known config has shown nothing new', async () => {
    const stored = { ratio: 1.2, observations: 30, budgetFactor: 1 };
    const { learning, store } = learningOf(stored);
    await learning.fromCall(1_000, 1_201);
    expect(store.value).toBe(stored);
    await learning.fromCall(1_000, 1_400);
    expect(store.value).toMatchObject({ observations: 31 });
  });

  it('goes on with a lesson that cannot be stored', async () => {
    const { learning, store, warn } = learningOf(null);
    store.away = true;
    await learning.fromCall(1_000, 1_500);
    expect(learning.current).toEqual({ ratio: 1.5, observations: 1, budgetFactor: 1 });
    expect(await learning.fromOverflow()).toBe(true);
    expect(learning.current.budgetFactor).toBeCloseTo(0.8);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('says when the budget cannot be cut any further', async () => {
    const { learning } = learningOf({ ...NOTHING_LEARNED, budgetFactor: 0.5 });
    expect(await learning.fromOverflow()).toBe(false);
  });

  it.each([null, 'text', { ratio: 99, observations: 1, budgetFactor: 1 }])(
    'knows nothing from what is no lesson: %j',
    (stored) => {
      expect(learningOf(stored).learning.current).toBe(NOTHING_LEARNED);
    },
  );
});
