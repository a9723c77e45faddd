import { randomUUID } from 'node:crypto';
import { RunError, type Usage } from '@copilot/contracts';
import { AIMessage } from '@langchain/core/messages';
import { toInterruption, toModelFailure } from '../../models/model-failure';
import type { TokenCounts } from '../../models/chat-model';
import { judgeCalls } from '../judge-calls';
import { modelRequest } from '../model-request';
import { ModelTurn } from '../model-turn';
import type { RunContext } from '../run-context';
import type { AgentStateType, AgentUpdate, RequestedCall } from '../state';

/** A run that still asks for tools at this call gets none: it must end with an answer. */
const MAX_ITERATIONS = 20;

/** One iteration's model call: streams the answer to the viewers and judges the calls it asks for. */
export async function callModel(state: AgentStateType, context: RunContext): Promise<AgentUpdate> {
  const iteration = state.progress.iterations + 1;
  const closing = iteration >= MAX_ITERATIONS;
  const turn = new ModelTurn(state.messages, (event) => context.publish(event), { mayCallTools: !closing });
  let failure: RunError | undefined;
  try {
    for await (const piece of context.model.stream(modelRequest(state, context, { closing }))) turn.add(piece);
  } catch (error) {
    // A stop from outside is no answer of the model's: the step is done again by whoever takes the run.
    if (context.signal.aborted) throw error;
    failure = turn.hasBegun
      ? toInterruption(error, context.model.label)
      : toModelFailure(error, context.model.label);
    context.log.warn({ err: error, iteration }, 'model call failed');
  }
  const answer = turn.finish({ broken: failure !== undefined });
  const requested = failure ? [] : judgeCalls(answer.calls, answer.finishReason);
  if (!failure && answer.text === '' && requested.length === 0) turn.addText(emptyAnswer(state, closing));
  // What was shown must be in the log before the checkpoint says that this call is done.
  await context.flush();
  return {
    messages: answerMessages(turn.text, requested, failure),
    progress: {
      ...state.progress,
      iterations: iteration,
      requested,
      usage: added(state.progress.usage, answer.tokens),
      failure: failure ? { code: failure.code, message: failure.message } : null,
      stopReason: failure ? 'error' : closing ? 'max_iterations' : 'completed',
    },
  };
}

/** A run never ends in silence. */
function emptyAnswer({ progress }: AgentStateType, closing: boolean): string {
  const done = `${progress.usage.tool_calls} tool calls were made`;
  return closing
    ? `The run reached its limit of ${MAX_ITERATIONS} model calls before an answer was written; ${done}. Send another message to go on.`
    : `The model ended without an answer; ${done}. Send the message again or word it differently.`;
}

function answerMessages(
  text: string,
  requested: readonly RequestedCall[],
  failure: RunError | undefined,
): AIMessage[] {
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
    additional_kwargs: { created_at: new Date().toISOString(), ...(failure ? { incomplete: true } : {}) },
  });
  return [message];
}

function added(usage: Usage, tokens: TokenCounts | undefined): Usage {
  const inputTokens = usage.input_tokens + (tokens?.inputTokens ?? 0);
  const outputTokens = usage.output_tokens + (tokens?.outputTokens ?? 0);
  return {
    ...usage,
    llm_calls: usage.llm_calls + 1,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    estimated: usage.estimated || tokens === undefined,
  };
}
