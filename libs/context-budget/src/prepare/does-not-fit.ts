import type { BudgetTool } from '../messages/message';
import { type ContextConfig, TOKENS_PER_K } from './budget';
import type { ContextTooLarge, ContextWarning } from './outcome';

/** What cannot be left out of a request, in tokens, and the learned ratio (at least 1) it is fitted with. */
export interface KeptMinimum {
  readonly systemTokens: number;
  readonly toolTokens: number;
  readonly userTokens: number;
  readonly correction: number;
}

const LARGEST_TOOLS = 3;

/** The refusal if even the minimum is above the window itself, otherwise undefined. */
export function tooLarge(config: ContextConfig, minimum: KeptMinimum): ContextTooLarge | undefined {
  const { systemTokens, toolTokens, userTokens, correction } = minimum;
  const total = systemTokens + toolTokens + userTokens;
  const limit = config.contextLimitK * TOKENS_PER_K;
  if (total * correction <= limit) return undefined;
  const requiredLimitK = Math.ceil((total * correction) / TOKENS_PER_K);
  const corrected = correction > 1 ? ` (x ${correction.toFixed(2)} as this provider counts)` : '';
  return {
    code: 'context_too_large',
    systemTokens,
    toolTokens,
    userTokens,
    requiredLimitK,
    message:
      `The request does not fit the context window of model '${config.model}': ` +
      `system prompt ${systemTokens} + tools ${toolTokens} + your message ${userTokens} = ${total} tokens${corrected}, ` +
      `above ${limit} (context_limit ${config.contextLimitK}). The smallest context_limit that would do is ` +
      `${requiredLimitK}: raise it if the model allows that, choose a model with a larger window, or send less.`,
  };
}

/** The warning for a request that leaves the whole history out. */
export function overBudget(
  config: ContextConfig,
  minimum: KeptMinimum,
  budget: number,
  tools: readonly { readonly tool: BudgetTool; readonly tokens: number }[],
): ContextWarning {
  const { systemTokens, toolTokens, userTokens } = minimum;
  const figures =
    `system ${systemTokens} + tools ${toolTokens} + message ${userTokens} tokens, input budget ${budget} ` +
    `(${config.strategy}, context_limit ${config.contextLimitK})`;
  if (toolTokens > budget) {
    const largest = tools
      .toSorted((first, second) => second.tokens - first.tokens)
      .slice(0, LARGEST_TOOLS)
      .map(({ tool, tokens }) => `${tool.name} ${tokens}`);
    return {
      code: 'tools_over_budget',
      message: `Tool definitions alone take ${toolTokens} tokens, above the input budget: ${figures}. Largest tools: ${largest.join(', ')}. Raise context_limit or bind fewer tools. The earlier conversation is left out.`,
    };
  }
  const systemIsOver = systemTokens + toolTokens > budget;
  return {
    code: systemIsOver ? 'system_over_budget' : 'message_over_budget',
    message: `${systemIsOver ? 'System prompt and tools are' : 'The message with system prompt and tools is'} above the input budget: ${figures}. Raise context_limit, choose a less conservative context_strategy, or shorten ${systemIsOver ? 'the system prompt or the topology' : 'the message'}. The earlier conversation is left out.`,
  };
}
