import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { hiddenCall } from './hidden-call';
import { RunClock } from './run-clock';
import { playedContext } from './testing/played-context';

const CALL = { messages: [], timeoutMs: 600_000, maxChars: 100 };

describe('hiddenCall', () => {
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
    const answer = await hiddenCall({ ...context, model, clock }, CALL);
    expect(answer).toMatchObject({ text: 'so far', failure: { name: 'TimeoutError' } });
  });
});
