import { chooseLimits, keepLimits, limitsToChoose, readPlan } from '@copilot/limits';
import { toolsOf } from '@copilot/model-request';
import { HumanMessage, isHumanMessage, SystemMessage } from '@langchain/core/messages';
import { CostExceededError, hiddenCall } from '../hidden-call';
import type { RunContext } from '../run-context';
import type { AgentStateType, AgentUpdate } from '../state';

/** The user waits for it; a model that has not planned by then leaves the defaults. */
const PLANNER_TIMEOUT_MS = 15_000;
/** Characters of the message and of the topology that a plan is made from. */
const EXCERPT = 8_000;
const MAX_PLAN_CHARS = 4_000;
const EXPECTED_TOKENS = 100;

/**
 * Chooses the limits that the caller left out, by one hidden call. A step of its own: what it has chosen is in
 * the checkpoint before anybody is told, so that a crash shows no second choice.
 */
export async function planLimits(state: AgentStateType, context: RunContext): Promise<AgentUpdate> {
  const { limits, requested } = context;
  const { progress } = state;
  const open = limitsToChoose(requested);
  const { text, usage, failure } = await hiddenCall(context, progress.usage, {
    messages: [new SystemMessage(context.prompts('planner')), new HumanMessage(task(state, context))],
    timeoutMs: PLANNER_TIMEOUT_MS,
    maxChars: MAX_PLAN_CHARS,
    outputTokens: EXPECTED_TOKENS,
    temperature: 0,
  });
  const plan = failure === undefined ? readPlan(text) : undefined;
  if (!plan) context.log.warn({ err: failure }, 'limits could not be planned');
  const { chosen, adjustments } = plan
    ? chooseLimits(plan, limits, open)
    : keepLimits(limits, open, whyNot(failure));
  return { progress: { ...progress, usage, chosen, untold: adjustments } };
}

function task({ messages, topology }: AgentStateType, context: RunContext): string {
  const message = messages.findLast(isHumanMessage)?.text ?? '';
  const { tools, usable } = toolsOf(context);
  return [
    `### Message\n\n${message.slice(0, EXCERPT)}`,
    `### Lab\n\n${(topology ?? 'unknown').slice(0, EXCERPT)}`,
    `### Tools\n\n${usable ? tools.map(({ name }) => name).join('\n') : 'none'}`,
  ].join('\n\n');
}

/** Without what a provider said, which is in the log. */
function whyNot(failure: unknown): string {
  if (failure === undefined) return 'the answer was no usable plan';
  if (failure instanceof CostExceededError) return 'it would go beyond max_cost';
  return failure instanceof Error && failure.name === 'TimeoutError'
    ? 'no answer in time'
    : 'the model could not be asked';
}
