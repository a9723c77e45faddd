import { learnedRatio, prepareContextAsync, type ContextOutcome } from '@copilot/context-budget';
import { TOOL_CATALOGUE, toolParameters, TOOLS_BY_MODE } from '@copilot/contracts';
import type { ModelTool } from '../models/chat-model';
import { toBudgetMessage } from './budget-messages';
import { PROMPTS } from './prompt-files';
import type { RunContext } from './run-context';
import type { AgentStateType } from './state';
import { messageCounter, yieldToEventLoop } from './token-counting';

export interface RequestOptions {
  /** The last call of the run: tools stay declared, but none may be called. */
  readonly closing: boolean;
}

const CLOSING =
  'The run has reached its limit of model calls, so no more tools can be used. Answer now from what you have: say what was done, what was found, and what is left to do.';

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
        template: closing ? `${template}\n\n${CLOSING}` : template,
        ...(state.topology === null ? {} : { topology: state.topology }),
      },
      tools: toolsOf(context),
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

/** The tools of the run's mode, as the model is given them. */
export function toolsOf({ mode }: RunContext): ModelTool[] {
  return TOOLS_BY_MODE[mode].map((name) => ({
    name,
    description: TOOL_CATALOGUE[name].description,
    parameters: toolParameters(name),
  }));
}
