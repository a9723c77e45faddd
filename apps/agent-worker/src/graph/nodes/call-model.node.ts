import { randomUUID } from 'node:crypto';
import type { Usage } from '@copilot/contracts';
import {
  emptyAnswerText,
  nextCall,
  reachedAtEnd,
  reachedByModelCall,
  timeCause,
  withCost,
  type EndingCause,
  type LimitCause,
} from '@copilot/limits';
import { AIMessage } from '@langchain/core/messages';
import { askModel, type Asked } from '../ask-model';
import { judgeCalls } from '../judge-calls';
import { admitTurn, failureOf, standingOf, tellLimits, tellReached } from '../limit-steps';
import { standingBeforeCall } from '../standing-before-call';
import type { RunContext } from '../run-context';
import type { AgentStateType, AgentUpdate, RequestedCall, RunProgress } from '../state';

/** One iteration, as far as the limits allow one: asks the model, and judges and admits the calls it wants. */
export async function callModel(state: AgentStateType, context: RunContext): Promise<AgentUpdate> {
  await context.refresh();
  if (context.clock.cancelled) return await ended(aborted(state.progress), '', context);
  const { limits } = context;
  const standing = await standingBeforeCall(state, context);
  const next = nextCall(limits, standing);
  const reached = tellReached(state.progress.reached, reachedByModelCall(limits, standing, next), context);
  const before = { ...state.progress, reached, width: limits.max_parallel_tools };
  if (next.type === 'end') return await endWithoutCall(before, next.cause, context);

  const closing = next.type === 'closing' ? next.cause : null;
  const asked = await askModel(state, context, { closing });
  const progress = {
    ...before,
    iterations: before.iterations + 1,
    usage: added(before.usage, asked, context),
  };
  if (asked.timeUp) return await endInCall(progress, asked, context);
  if (!asked.failure) return await answered(progress, asked, closing, context);
  const { code, message } = asked.failure;
  const failed: RunProgress = { ...progress, failure: { code, message }, stopReason: 'error' };
  return await ended(failed, asked.turn.text, context);
}

async function answered(
  progress: RunProgress,
  { turn, answer }: Asked,
  closing: LimitCause | null,
  context: RunContext,
): Promise<AgentUpdate> {
  // The calls are judged by the limits of this moment: the model may have thought for minutes.
  await context.refresh();
  const admitted = admitTurn(judgeCalls(answer.calls, answer.finishReason, context), progress, context);
  const { requested, usage } = admitted;
  if (answer.text === '' && requested.length === 0) {
    turn.addText(closing ? emptyAnswerText(closing, usage.tool_calls) : emptyText(usage));
  }
  // Otherwise the iteration goes on with its tools.
  if (requested.length === 0) tellLimits(usage, context);
  // What was shown must be in the log before the checkpoint says that this call is done.
  await context.flush();
  return {
    messages: answerMessages(turn.text, requested, false),
    progress: { ...progress, ...admitted, stopReason: closing?.limit ?? admitted.stopReason },
  };
}

/** The deadline struck, or the run was cancelled, in the middle of the answer: what exists of it is kept. */
async function endInCall(progress: RunProgress, { turn }: Asked, context: RunContext): Promise<AgentUpdate> {
  if (context.clock.cancelled) return await ended(aborted(progress), turn.text, context);
  const { limits } = context;
  const cause = timeCause(limits);
  const hit = reachedAtEnd(limits, cause, standingOf(progress, context));
  const told = { ...progress, reached: tellReached(progress.reached, [hit], context) };
  if (turn.text === '' && limits.on_limit_reached !== 'fail') {
    turn.addText(emptyAnswerText(cause, progress.usage.tool_calls));
  }
  return await ended(atLimit(told, cause, context), turn.text, context);
}

/** No model call is left: the service itself says why. */
async function endWithoutCall(
  progress: RunProgress,
  cause: EndingCause,
  context: RunContext,
): Promise<AgentUpdate> {
  const fails = context.limits.on_limit_reached === 'fail';
  const text = fails ? '' : emptyAnswerText(cause, progress.usage.tool_calls);
  if (text !== '') context.publish({ type: 'content', content: text });
  return await ended(atLimit(progress, cause, context), text, context);
}

function atLimit(progress: RunProgress, cause: EndingCause, { limits }: RunContext): RunProgress {
  const failure = limits.on_limit_reached === 'fail' ? failureOf(cause, progress.usage) : null;
  return { ...progress, failure, stopReason: cause.limit };
}

function aborted(progress: RunProgress): RunProgress {
  return { ...progress, failure: null, stopReason: 'aborted' };
}

async function ended(progress: RunProgress, text: string, context: RunContext): Promise<AgentUpdate> {
  tellLimits(progress.usage, context);
  await context.flush();
  return { messages: answerMessages(text, [], true), progress: { ...progress, requested: [] } };
}

/** A run never ends in silence. */
function emptyText({ tool_calls: calls }: Usage): string {
  return `The model ended without an answer; ${calls} tool calls were made. Send the message again or word it differently.`;
}

function answerMessages(text: string, requested: readonly RequestedCall[], incomplete: boolean): AIMessage[] {
  if (text === '' && requested.length === 0) return [];
  const message = new AIMessage({
    // Providers' ids repeat, and a message with a known id would replace the older one.
    id: randomUUID(),
    content: text,
    tool_calls: requested.map((call) => ({
      id: call.callId,
      name: call.name,
      args: call.args,
      type: 'tool_call' as const,
    })),
    additional_kwargs: { created_at: new Date().toISOString(), ...(incomplete ? { incomplete } : {}) },
  });
  return [message];
}

function added(usage: Usage, { tokens, estimated }: Asked, { prices }: RunContext): Usage {
  const inputTokens = usage.input_tokens + tokens.inputTokens;
  const outputTokens = usage.output_tokens + tokens.outputTokens;
  const sum = {
    ...usage,
    llm_calls: usage.llm_calls + 1,
    input_tokens: inputTokens,
    cached_input_tokens: usage.cached_input_tokens + tokens.cachedInputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    estimated: usage.estimated || estimated,
  };
  return withCost(sum, prices);
}
