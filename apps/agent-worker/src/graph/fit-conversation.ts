import { learnedRatio, prepareContextAsync, type ContextOutcome } from '@copilot/context-budget';
import { TOOL_CATALOGUE, TOOL_NAMES, toolParameters, TOOLS_BY_MODE, type ToolName } from '@copilot/contracts';
import { closingInstruction, isSwitchedOff, type LimitCause } from '@copilot/limits';
import type { ModelTool } from '../models/chat-model';
import { toBudgetMessage } from './budget-messages';
import { PROMPTS } from './prompt-files';
import type { RunContext } from './run-context';
import type { AgentStateType } from './state';
import { messageCounter, yieldToEventLoop } from './token-counting';

export interface RequestOptions {
  /** What makes this the last call of the run: tools stay declared, but none may be called. */
  readonly closing: LimitCause | null;
}

/** Prompt with topology, conversation and tools, fitted to the model's window as it was learned to count. */
export function fitConversation(
  state: AgentStateType,
  context: RunContext,
  { closing }: RequestOptions,
): Promise<ContextOutcome> {
  const { settings, mode } = context;
  const learned = context.learning.current;
  const template = PROMPTS[mode];
  return prepareContextAsync(
    {
      messages: state.messages.map(toBudgetMessage),
      prompt: {
        template: closing ? `${template}\n\n${closingInstruction(closing)}` : template,
        ...(state.topology === null ? {} : { topology: state.topology }),
      },
      tools: toolsOf(context).tools,
      config: {
        model: settings.model,
        contextLimitK: settings.context_limit,
        strategy: settings.context_strategy,
      },
      correction: learnedRatio(learned),
      budgetFactor: learned.budgetFactor,
      overflow: settings.context_overflow,
      ...(state.summary?.text ? { summary: state.summary.text } : {}),
    },
    messageCounter(settings.tokenizer),
    yieldToEventLoop,
  );
}

/**
 * Tools that were switched off are not offered. With all of them off they are declared all the same, since
 * providers refuse a history with calls and no tools, but are not `usable`.
 */
export function toolsOf({ mode, limits }: RunContext): { tools: ModelTool[]; usable: boolean } {
  const on = TOOLS_BY_MODE[mode].filter((name) => !isSwitchedOff(name, limits));
  const declared = on.length > 0 ? on : TOOLS_BY_MODE[mode];
  return { tools: declared.map((name) => DECLARATIONS[name]), usable: on.length > 0 };
}

/** Made once: turning a schema into JSON Schema is a good part of the work on a short request. */
const DECLARATIONS = Object.fromEntries(
  TOOL_NAMES.map((name) => [
    name,
    { name, description: TOOL_CATALOGUE[name].description, parameters: toolParameters(name) },
  ]),
) as Readonly<Record<ToolName, ModelTool>>;
