import { describe, expect, it } from '@jest/globals';
import type { RunEvent } from '@copilot/contracts';
import { HumanMessage } from '@langchain/core/messages';
import type { RunContext } from '../run-context';
import { freshProgress, type AgentStateType, type RunProgress } from '../state';
import { playedContext } from '../testing/played-context';
import { planLimits } from './plan-limits.node';
import { setOut } from './set-out.node';

const PLAN = '{"iterations": 4, "tool_calls": 6, "device_config_calls": 2, "diagnostic_calls": 4}';
const PRICES = { input_price: 1, output_price: 1, currency: 'USD' };

function stateOf(progress: RunProgress): AgentStateType {
  const messages = [new HumanMessage({ id: 'q', content: 'Configure R1.' })];
  return { messages, progress, topology: 'R1', summary: null, title: null };
}

/** The played context with a log that knows what was written once. */
function written(context: RunContext) {
  const once = new Map<string, readonly RunEvent[]>();
  const publishOnce: RunContext['publishOnce'] = async (key, ...events) => {
    if (!once.has(key)) once.set(key, events);
  };
  return { once, context: { ...context, publishOnce } };
}

describe('setting out', () => {
  it('shows one choice of limits, whenever the worker dies between the plan and the first iteration', async () => {
    const played = playedContext(() => [{ type: 'text', text: PLAN }]);
    const { once, context } = written(played.context);
    const planned = await planLimits(stateOf(freshProgress('run')), context);
    expect(played.events).toEqual([]);
    expect(once.size).toBe(0);
    const state = stateOf(planned.progress as RunProgress);
    await setOut(state, context);
    // Dead before its checkpoint: the step is done again from the same one.
    const again = await setOut(state, context);
    expect([...once.keys()]).toEqual(['plan']);
    expect(once.get('plan')?.map((event) => event.type === 'limits_adjusted' && event.to)).toEqual([
      6, 9, 3, 6,
    ]);
    expect(again.progress).toMatchObject({ untold: [], chosen: { max_iterations: 6 } });
    expect(played.requests).toHaveLength(1);
  });

  it('expects answers as long as the caller has had before, for the price of the first call', async () => {
    const { context } = playedContext(() => []);
    const pastRuns = async () => [{ iterations: 2, toolCalls: 1, outputTokens: 84 }];
    const limits = { ...context.limits, max_cost: 1 };
    const { progress } = await setOut(stateOf(freshProgress('run')), {
      ...context,
      pastRuns,
      limits,
      prices: PRICES,
    });
    expect(progress).toMatchObject({ typicalOutput: 42 });
  });

  it('leaves a request that does not fit to the model call, and estimates nothing', async () => {
    const { context, events } = playedContext(() => [], { context_limit: 1 });
    const limits = { ...context.limits, estimate_cost_before_execution: true };
    await setOut(stateOf(freshProgress('run')), { ...context, limits });
    expect(events).toEqual([]);
  });
});
