import { assumedOutput, costStanding, sessionStanding, type Standing } from '@copilot/limits';
import { expectedInputTokens } from '@copilot/model-request';
import { fitConversation } from './fit-conversation';
import { standingOf } from './limit-steps';
import type { RunContext } from './run-context';
import type { AgentStateType } from './state';

/**
 * Where the run stands. With a limit of cost or tokens its next request is made once more here, to know what it
 * would cost.
 */
export async function standingBeforeCall(state: AgentStateType, context: RunContext): Promise<Standing> {
  const standing = standingOf(state.progress, context);
  const { limits, prices, settings, learning } = context;
  const { max_total_tokens = null, max_total_cost = null } = limits.session?.budget ?? {};
  const priced = prices !== null && (limits.max_cost !== null || max_total_cost !== null);
  if (!priced && max_total_tokens === null) return standing;
  const fitted = await fitConversation(state, context, { closing: null });
  // One that does not fit costs nothing: the call itself says so.
  if (!fitted.ok) return standing;
  const { usage, typicalOutput } = state.progress;
  const next = {
    inputTokens: expectedInputTokens(fitted.report.total, learning.current),
    outputTokens: assumedOutput(usage, typicalOutput, settings.max_tokens),
  };
  return {
    ...standing,
    cost: costStanding(limits, usage, next, prices),
    session: limits.session && sessionStanding(limits.session, usage, next, prices),
  };
}
