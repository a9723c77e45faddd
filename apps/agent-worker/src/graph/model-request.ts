import { TOOL_CATALOGUE, toolParameters, TOOLS_BY_MODE } from '@copilot/contracts';
import { SystemMessage } from '@langchain/core/messages';
import type { ModelRequest, ModelTool } from '../models/chat-model';
import { systemPrompt } from './prompt-files';
import type { RunContext } from './run-context';
import type { AgentStateType } from './state';

const CLOSING =
  'The run has reached its limit of model calls, so no more tools can be used. Answer now from what you have: say what was done, what was found, and what is left to do.';

/** The request of one iteration: prompt with topology, conversation, tools of the mode. */
export function modelRequest(
  state: AgentStateType,
  context: RunContext,
  { closing }: { readonly closing: boolean },
): ModelRequest {
  const prompt = systemPrompt(context.mode, state.topology);
  return {
    messages: [new SystemMessage(closing ? `${prompt}\n\n${CLOSING}` : prompt), ...state.messages],
    tools: toolsOf(context),
    toolChoice: closing ? 'none' : 'auto',
    signal: context.signal,
  };
}

function toolsOf({ mode }: RunContext): ModelTool[] {
  return TOOLS_BY_MODE[mode].map((name) => ({
    name,
    description: TOOL_CATALOGUE[name].description,
    parameters: toolParameters(name),
  }));
}
