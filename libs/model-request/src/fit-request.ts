import {
  learnedRatio,
  prepareContextAsync,
  type ContextLearning,
  type ContextOutcome,
} from '@copilot/context-budget';
import {
  TOOL_CATALOGUE,
  TOOL_NAMES,
  toolParameters,
  TOOLS_BY_MODE,
  type CopilotMode,
  type ModelSettings,
  type ToolName,
} from '@copilot/contracts';
import { closingInstruction, isSwitchedOff, type EffectiveLimits, type LimitCause } from '@copilot/limits';
import type { BaseMessage } from '@langchain/core/messages';
import { toBudgetMessage } from './budget-messages';
import type { Prompts } from './prompt-files';
import { messageCounter, yieldToEventLoop } from './token-counting';

/** A tool as a model provider gets it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

/** Everything that one iteration's request is made of. */
export interface RequestParts {
  readonly messages: readonly BaseMessage[];
  /** The lab as the prompt shows it; null when it could not be read. */
  readonly topology: string | null;
  /** Of what has fallen out of the window, where there is one. */
  readonly summary: string | undefined;
  readonly mode: CopilotMode;
  readonly prompts: Prompts;
  readonly limits: EffectiveLimits;
  readonly settings: ModelSettings;
  readonly learned: ContextLearning;
  /** What makes this the last call of the run: tools stay declared, but none may be called. */
  readonly closing: LimitCause | null;
}

/** Prompt with topology, conversation and tools, fitted to the model's window as it was learned to count. */
export function fitRequest(parts: RequestParts): Promise<ContextOutcome> {
  const { messages, topology, summary, mode, prompts, settings, learned, closing } = parts;
  const template = prompts(mode);
  return prepareContextAsync(
    {
      messages: messages.map(toBudgetMessage),
      prompt: {
        template: closing ? `${template}\n\n${closingInstruction(closing)}` : template,
        ...(topology === null ? {} : { topology }),
      },
      tools: toolsOf(parts).tools,
      config: {
        model: settings.model,
        contextLimitK: settings.context_limit,
        strategy: settings.context_strategy,
      },
      correction: learnedRatio(learned),
      budgetFactor: learned.budgetFactor,
      overflow: settings.context_overflow,
      ...(summary ? { summary } : {}),
    },
    messageCounter(settings.tokenizer),
    yieldToEventLoop,
  );
}

/**
 * Tools that were switched off are not offered. With all of them off they are declared all the same, since
 * providers refuse a history with calls and no tools, but are not `usable`.
 */
export function toolsOf({ mode, limits }: Pick<RequestParts, 'mode' | 'limits'>): {
  tools: ModelTool[];
  usable: boolean;
} {
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

/** What the provider is expected to count for a fitted request of `ownTokens`, for what it will cost. */
export function expectedInputTokens(ownTokens: number, learned: ContextLearning): number {
  return Math.ceil(ownTokens * learnedRatio(learned));
}
