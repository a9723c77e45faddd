import { estimateRun, typicalOutput } from '@copilot/limits';
import { expectedInputTokens } from '@copilot/model-request';
import { tellAdjustments } from '../adjustments';
import { fitConversation } from '../fit-conversation';
import type { RunContext } from '../run-context';
import type { AgentStateType, AgentUpdate } from '../state';

/** What is told and looked up once before the first iteration: chosen limits, and what the run may cost. */
export async function setOut(state: AgentStateType, context: RunContext): Promise<AgentUpdate> {
  const { limits, settings } = context;
  const { progress } = state;
  await tellAdjustments('plan', progress.untold, context);
  if (limits.max_cost === null && !limits.estimate_cost_before_execution) {
    return { progress: { ...progress, untold: [] } };
  }
  const pastRuns = await context.pastRuns();
  if (limits.estimate_cost_before_execution) {
    const fitted = await fitConversation(state, context, { closing: null });
    // Of a request that does not fit the model call says so, in an error.
    if (fitted.ok) {
      const inputTokens = expectedInputTokens(fitted.report.total, context.learning.current);
      const basis = { inputTokens, limits, pastRuns, maxTokens: settings.max_tokens, prices: context.prices };
      await context.publishOnce('estimate', { type: 'cost_estimate', ...estimateRun(basis) });
    }
  }
  const typical = typicalOutput(pastRuns, settings.max_tokens);
  return { progress: { ...progress, untold: [], typicalOutput: typical } };
}

export function needsSettingOut({ limits }: RunContext): boolean {
  return limits.auto_adjust_limits || limits.estimate_cost_before_execution || limits.max_cost !== null;
}
