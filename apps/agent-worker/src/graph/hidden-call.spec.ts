import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { HumanMessage } from '@langchain/core/messages';
import { NO_USAGE } from '@copilot/contracts';
import { hiddenCall } from './hidden-call';
import { RunClock } from './run-clock';
import { playedContext } from './testing/played-context';

const CALL = { messages: [], timeoutMs: 600_000, maxChars: 100, outputTokens: 10 };

describe('hiddenCall', () => {
  const PRICES = { input_price: 1_000, output_price: 1_000, currency: 'USD' };
  const text = { type: 'text', text: 'a title' } as const;

  it('adds what the provider reports to the overhead, and to the cost', async () => {
    const tokens = { inputTokens: 90, cachedInputTokens: 40, outputTokens: 10 };
    const { context } = playedContext(() => [text, { type: 'usage', tokens }]);
    const { usage } = await hiddenCall({ ...context, prices: PRICES }, NO_USAGE, CALL);
    expect(usage).toMatchObject({
      llm_calls: 0,
      estimated: false,
      overhead: { input_tokens: 90, cached_input_tokens: 40, output_tokens: 10 },
      cost: { amount: 0.1, currency: 'USD' },
    });
  });

  it('counts for itself where the provider reports nothing, and says so', async () => {
    const { context } = playedContext(() => [text]);
    const messages = [new HumanMessage('Name this.')];
    const { usage } = await hiddenCall(context, NO_USAGE, { ...CALL, messages });
    expect(usage.estimated).toBe(true);
    expect(usage.overhead.input_tokens).toBeGreaterThan(0);
    expect(usage.overhead.output_tokens).toBeGreaterThan(0);
  });

  it('is not made where it would go beyond max_cost, unless the run goes on anyway', async () => {
    const { context, requests } = playedContext(() => [text]);
    const bounded = (on_limit_reached: 'warn' | 'continue') => ({
      ...context,
      prices: PRICES,
      limits: { ...context.limits, max_cost: 0.009, on_limit_reached },
    });
    const refused = await hiddenCall(bounded('warn'), NO_USAGE, CALL);
    expect(refused).toMatchObject({ text: '', usage: NO_USAGE, failure: expect.any(Error) });
    expect(requests).toHaveLength(0);
    await hiddenCall(bounded('continue'), NO_USAGE, CALL);
    expect(requests).toHaveLength(1);
  });

  it("keeps to what is left of the run's time, and hands out what there is by then", async () => {
    const { context } = playedContext(() => []);
    const model = {
      label: "'slow'",
      async *stream({ signal }: { readonly signal: AbortSignal }) {
        yield { type: 'text' as const, text: 'so far' };
        await once(signal, 'abort');
        signal.throwIfAborted();
      },
    };
    const clock = new RunClock({ elapsedMs: 0, remainingMs: 20 });
    const answer = await hiddenCall({ ...context, model, clock }, NO_USAGE, CALL);
    expect(answer).toMatchObject({ text: 'so far', failure: { name: 'TimeoutError' } });
  });
});
