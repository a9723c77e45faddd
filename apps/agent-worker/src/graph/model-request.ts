import {
  contextEventFigures,
  contextLines,
  learnedRatio,
  prepareContextAsync,
  type PreparedContext,
} from '@copilot/context-budget';
import { RunError, TOOL_CATALOGUE, toolParameters, TOOLS_BY_MODE } from '@copilot/contracts';
import type { ModelRequest, ModelTool } from '../models/chat-model';
import { fromBudgetMessage, toBudgetMessage } from './budget-messages';
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

/**
 * The request of one iteration: prompt with topology, conversation and tools, fitted to the model's window.
 * Rejects with RunError when even the least of it does not fit.
 */
export async function modelRequest(
  state: AgentStateType,
  context: RunContext,
  { closing }: RequestOptions,
): Promise<ModelRequest & { readonly prepared: PreparedContext }> {
  const { settings, mode } = context;
  const learned = context.learning.current;
  const tools = toolsOf(context);
  const template = PROMPTS[mode];
  const prepared = await prepareContextAsync(
    {
      messages: state.messages.map(toBudgetMessage),
      prompt: {
        template: closing ? `${template}\n\n${CLOSING}` : template,
        ...(state.topology === null ? {} : { topology: state.topology }),
      },
      tools,
      config: {
        model: settings.model,
        contextLimitK: settings.context_limit,
        strategy: settings.context_strategy,
      },
      correction: learnedRatio(learned),
      budgetFactor: learned.budgetFactor,
    },
    messageCounter(settings.tokenizer),
    yieldToEventLoop,
  );
  if (!prepared.ok) throw new RunError(prepared.error.code, prepared.error.message);
  report(prepared, context);
  return {
    prepared,
    messages: prepared.messages.map(fromBudgetMessage),
    tools,
    toolChoice: closing ? 'none' : 'auto',
    signal: context.signal,
  };
}

/** The figures for viewers, and the lines that operators know; their texts are the one exception to constant messages. */
function report({ report, warnings, fallbackCause }: PreparedContext, context: RunContext): void {
  for (const line of contextLines(report)) context.log.info(line);
  for (const { code, message } of warnings) context.log.warn({ code }, message);
  if (fallbackCause !== undefined) context.log.error({ err: fallbackCause }, 'context could not be trimmed');
  const { observations, budgetFactor } = context.learning.current;
  if (observations > 0 || budgetFactor < 1) {
    context.log.info({ ratio: report.correction, observations, budgetFactor }, 'context fitted as learned');
  }
  context.publish({ type: 'context', ...contextEventFigures(report) });
}

function toolsOf({ mode }: RunContext): ModelTool[] {
  return TOOLS_BY_MODE[mode].map((name) => ({
    name,
    description: TOOL_CATALOGUE[name].description,
    parameters: toolParameters(name),
  }));
}
