import { contextEventFigures, contextLines, type PreparedContext } from '@copilot/context-budget';
import { RunError } from '@copilot/contracts';
import { fromBudgetMessage, toolsOf } from '@copilot/model-request';
import type { ModelRequest } from '../models/chat-model';
import { fitConversation, type RequestOptions } from './fit-conversation';
import type { RunContext } from './run-context';
import type { AgentStateType } from './state';

/**
 * The request of one iteration, fitted and reported to viewers and log. Rejects with RunError when even the
 * least of it does not fit.
 */
export async function modelRequest(
  state: AgentStateType,
  context: RunContext,
  options: RequestOptions,
): Promise<ModelRequest & { readonly prepared: PreparedContext }> {
  const { limits, clock } = context;
  const { tools, usable } = toolsOf(context);
  const prepared = await fitConversation(state, context, options);
  if (!prepared.ok) throw new RunError(prepared.error.code, prepared.error.message);
  report(prepared, context);
  return {
    prepared,
    messages: prepared.messages.map(fromBudgetMessage),
    tools,
    toolChoice: options.closing || !usable ? 'none' : 'auto',
    ...(limits.temperature === null ? {} : { temperature: limits.temperature }),
    signal: AbortSignal.any([context.signal, clock.over]),
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
