import {
  contextEventFigures,
  contextLines,
  prepareContextAsync,
  type PreparedContext,
} from '@copilot/context-budget';
import { closingInstruction, isSwitchedOff, type LimitCause } from '@copilot/limits';
import { RunError, TOOL_CATALOGUE, toolParameters, TOOLS_BY_MODE } from '@copilot/contracts';
import type { ModelRequest, ModelTool } from '../models/chat-model';
import { fromBudgetMessage, toBudgetMessage } from './budget-messages';
import { PROMPTS } from './prompt-files';
import type { RunContext } from './run-context';
import type { AgentStateType } from './state';
import { messageCounter, yieldToEventLoop } from './token-counting';

export interface RequestOptions {
  /** What makes this the last call of the run: tools stay declared, but none may be called. */
  readonly closing: LimitCause | null;
  /** Part of the input budget to use; less than 1 after the provider refused a request as too long. */
  readonly budgetFactor: number;
}

/**
 * The request of one iteration: prompt with topology, conversation and tools, fitted to the model's window.
 * Rejects with RunError when even the least of it does not fit.
 */
export async function modelRequest(
  state: AgentStateType,
  context: RunContext,
  { closing, budgetFactor }: RequestOptions,
): Promise<ModelRequest & { readonly prepared: PreparedContext }> {
  const { settings, mode, limits, clock } = context;
  const { tools, usable } = toolsOf(context);
  const template = PROMPTS[mode];
  const prepared = await prepareContextAsync(
    {
      messages: state.messages.map(toBudgetMessage),
      prompt: {
        template: closing ? `${template}\n\n${closingInstruction(closing)}` : template,
        ...(state.topology === null ? {} : { topology: state.topology }),
      },
      tools,
      config: {
        model: settings.model,
        contextLimitK: settings.context_limit,
        strategy: settings.context_strategy,
      },
      budgetFactor,
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
    toolChoice: closing || !usable ? 'none' : 'auto',
    ...(limits.temperature === null ? {} : { temperature: limits.temperature }),
    signal: AbortSignal.any([context.signal, clock.deadline]),
  };
}

/** The figures for viewers, and the lines that operators know; their texts are the one exception to constant messages. */
function report({ report, warnings, fallbackCause }: PreparedContext, context: RunContext): void {
  for (const line of contextLines(report)) context.log.info(line);
  for (const { code, message } of warnings) context.log.warn({ code }, message);
  if (fallbackCause !== undefined) context.log.error({ err: fallbackCause }, 'context could not be trimmed');
  context.publish({ type: 'context', ...contextEventFigures(report) });
}

/**
 * Tools that were switched off are not offered. With all of them off they are declared all the same, since
 * providers refuse a history with calls and no tools, but are not `usable`.
 */
function toolsOf({ mode, limits }: RunContext): { tools: ModelTool[]; usable: boolean } {
  const on = TOOLS_BY_MODE[mode].filter((name) => !isSwitchedOff(name, limits));
  const declared = on.length > 0 ? on : TOOLS_BY_MODE[mode];
  const tools = declared.map((name) => ({
    name,
    description: TOOL_CATALOGUE[name].description,
    parameters: toolParameters(name),
  }));
  return { tools, usable: on.length > 0 };
}
