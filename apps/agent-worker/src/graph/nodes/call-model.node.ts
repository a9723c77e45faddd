import { randomUUID } from 'node:crypto';
import type { Usage } from '@copilot/contracts';
import { AIMessage } from '@langchain/core/messages';
import { askModel, type Asked } from '../ask-model';
import { judgeCalls } from '../judge-calls';
import type { RunContext } from '../run-context';
import type { AgentStateType, AgentUpdate, RequestedCall } from '../state';

/** A run that still asks for tools at this call gets none: it must end with an answer. */
const MAX_ITERATIONS = 20;

/** One iteration: asks the model and judges the calls that it wants. */
export async function callModel(state: AgentStateType, context: RunContext): Promise<AgentUpdate> {
  const iteration = state.progress.iterations + 1;
  const closing = iteration >= MAX_ITERATIONS;
  const asked = await askModel(state, context, { closing });
  const { turn, answer, failure } = asked;
  const requested = failure ? [] : judgeCalls(answer.calls, answer.finishReason);
  if (!failure && answer.text === '' && requested.length === 0) turn.addText(emptyAnswer(state, closing));
  // What was shown must be in the log before the checkpoint says that this call is done.
  await context.flush();
  return {
    messages: answerMessages(turn.text, requested, failure !== undefined),
    progress: {
      ...state.progress,
      iterations: iteration,
      requested,
      usage: added(state.progress.usage, asked),
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

function added(usage: Usage, { tokens, estimated }: Asked): Usage {
  const inputTokens = usage.input_tokens + tokens.inputTokens;
  const outputTokens = usage.output_tokens + tokens.outputTokens;
  return {
    ...usage,
    llm_calls: usage.llm_calls + 1,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    estimated: usage.estimated || estimated,
  };
}
