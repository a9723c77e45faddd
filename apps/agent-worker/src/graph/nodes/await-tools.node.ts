import { ToolMessage } from '@langchain/core/messages';
import { interrupt } from '@langchain/langgraph';
import type { Usage } from '@copilot/contracts';
import { followRepeats } from '@copilot/limits';
import { tellAdjustments } from '../adjustments';
import { tellLimits } from '../limit-steps';
import type { RunContext } from '../run-context';
import type { AgentStateType, AgentUpdate, CallResult, RequestedCall } from '../state';

/** What the interrupt hands out: all calls of the turn, and what the run has used with them. */
export interface ToolInterrupt {
  readonly iteration: number;
  readonly calls: readonly RequestedCall[];
  readonly usage: Usage;
  /** In the checkpoint, so that calls that are handed out again after a crash have the same lanes. */
  readonly width: number;
}

/**
 * Stops the graph until every call of the turn has its result. LangGraph runs this node again from its top
 * on resuming, and `interrupt` then returns the results.
 */
export async function awaitTools({ progress }: AgentStateType, context: RunContext): Promise<AgentUpdate> {
  const { iterations: iteration, requested: calls, usage: before, width } = progress;
  await tellAdjustments(`turn-${iteration}`, progress.untold, context);
  const results = interrupt<ToolInterrupt, readonly CallResult[]>({
    iteration,
    calls,
    usage: before,
    width,
  });
  const usage = usageAfter(before, results);
  const followed = followRepeats(progress.repeats, outcomes(calls, results));
  tellLimits(usage, context);
  await context.flush();
  return {
    messages: results.map(
      (result, index) =>
        new ToolMessage({
          id: `${progress.runId}/${result.callId}`,
          tool_call_id: result.callId,
          name: result.name,
          content: followed.results[index] ?? result.output,
          status: result.failed ? 'error' : 'success',
        }),
    ),
    progress: {
      ...progress,
      requested: [],
      usage,
      repeats: followed.repeats,
      untold: [],
      forced: progress.forced ?? followed.closing,
    },
  };
}

/** What people have rejected was counted when it was admitted, and was not executed. */
function usageAfter(before: Usage, results: readonly CallResult[]): Usage {
  const retries = results.reduce((sum, result) => sum + result.retries, 0);
  const rejected = results.filter((result) => result.rejected);
  const byTool = { ...before.by_tool };
  for (const { name } of rejected) byTool[name] = (byTool[name] ?? 0) - 1;
  return {
    ...before,
    tool_calls: before.tool_calls - rejected.length,
    refused_tool_calls: before.refused_tool_calls + rejected.length,
    by_tool: Object.fromEntries(Object.entries(byTool).filter(([, count]) => count > 0)),
    tool_retries: before.tool_retries + retries,
  };
}

function outcomes(calls: readonly RequestedCall[], results: readonly CallResult[]) {
  return results.map(({ name, output: result }, index) => ({ name, args: calls[index]?.args, result }));
}
