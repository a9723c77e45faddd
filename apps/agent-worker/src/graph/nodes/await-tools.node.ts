import { ToolMessage } from '@langchain/core/messages';
import { interrupt } from '@langchain/langgraph';
import type { AgentStateType, AgentUpdate, CallResult, RequestedCall } from '../state';

/** What the interrupt hands out: all calls of the turn. */
export interface ToolInterrupt {
  readonly iteration: number;
  readonly calls: readonly RequestedCall[];
}

/**
 * Stops the graph until every call of the turn has its result. LangGraph runs this node again from its top
 * on resuming, and `interrupt` then returns the results.
 */
export function awaitTools({ progress }: AgentStateType): AgentUpdate {
  const { iterations: iteration, requested: calls, usage } = progress;
  const results = interrupt<ToolInterrupt, readonly CallResult[]>({ iteration, calls });
  return {
    messages: results.map(
      (result) =>
        new ToolMessage({
          id: `${progress.runId}/${result.callId}`,
          tool_call_id: result.callId,
          name: result.name,
          content: result.output,
          status: result.failed ? 'error' : 'success',
        }),
    ),
    progress: {
      ...progress,
      requested: [],
      usage: { ...usage, tool_calls: usage.tool_calls + calls.filter(({ refusal }) => !refusal).length },
    },
  };
}
