import { runYielding } from '@copilot/context-budget';
import { withDeadline } from '@copilot/config';
import type { Usage } from '@copilot/contracts';
import { costStanding, withCost } from '@copilot/limits';
import { messageCounter, toBudgetMessage, yieldToEventLoop } from '@copilot/model-request';
import type { BaseMessage } from '@langchain/core/messages';
import type { TokenCounts } from '../models/chat-model';
import type { RunContext } from './run-context';

export interface HiddenCall {
  readonly messages: readonly BaseMessage[];
  readonly timeoutMs: number;
  /** Reading stops here: a model may go on for ever. */
  readonly maxChars: number;
  /** What its answer is expected to take, for a run that may cost only so much. */
  readonly outputTokens: number;
  readonly temperature?: number;
}

export interface HiddenAnswer {
  /** What there is of it, also after a failure. */
  readonly text: string;
  /** The run's, with this call as overhead, since it is no iteration. */
  readonly usage: Usage;
  readonly failure?: unknown;
}

/** The call was not made, since the run has no money for it. */
export class CostExceededError extends Error {
  override readonly name = 'CostExceededError';

  constructor() {
    super('it would go beyond max_cost');
  }
}

/** A model call that viewers do not see and that no run fails for: only a stop from outside throws. */
export async function hiddenCall(context: RunContext, usage: Usage, call: HiddenCall): Promise<HiddenAnswer> {
  const inputTokens = await runYielding(
    messageCounter(context.settings.tokenizer).messagesSteps(call.messages.map(toBudgetMessage)),
    yieldToEventLoop,
  );
  if (!isAffordable(context, usage, { inputTokens, outputTokens: call.outputTokens })) {
    return { text: '', usage, failure: new CostExceededError() };
  }
  const { text, reported, failure } = await read(context, call);
  const counted = reported ?? (text === '' ? undefined : ownCount(context, inputTokens, text));
  const spent = counted ? withOverhead(usage, counted, reported === undefined) : usage;
  return {
    text: text.slice(0, call.maxChars),
    usage: withCost(spent, context.prices),
    ...(failure === undefined ? {} : { failure }),
  };
}

function isAffordable(
  { limits, prices }: RunContext,
  usage: Usage,
  size: { readonly inputTokens: number; readonly outputTokens: number },
): boolean {
  if (limits.on_limit_reached === 'continue') return true;
  return costStanding(limits, usage, size, prices)?.room !== 'none';
}

interface Read {
  readonly text: string;
  readonly reported: TokenCounts | undefined;
  readonly failure?: unknown;
}

async function read({ model, signal, clock }: RunContext, call: HiddenCall): Promise<Read> {
  const { messages, timeoutMs, maxChars, temperature } = call;
  let text = '';
  let reported: TokenCounts | undefined;
  try {
    const outer = AbortSignal.any([signal, clock.over]);
    await withDeadline(outer, Math.min(timeoutMs, clock.remainingMs), async (bounded) => {
      const pieces = model.stream({
        messages,
        tools: [],
        toolChoice: 'none',
        ...(temperature === undefined ? {} : { temperature }),
        signal: bounded,
      });
      for await (const piece of pieces) {
        if (piece.type === 'text') text += piece.text;
        if (piece.type === 'usage') reported = piece.tokens;
        if (text.length > maxChars) break;
      }
    });
    return { text, reported };
  } catch (failure) {
    if (signal.aborted) throw failure;
    return { text, reported, failure };
  }
}

/** For a provider that gave no figures, or an answer that was not read to its end. */
function ownCount({ settings }: RunContext, inputTokens: number, text: string): TokenCounts {
  const counter = messageCounter(settings.tokenizer);
  const outputTokens = counter.countMessage({ role: 'assistant', content: text, toolCalls: [] });
  return { inputTokens, cachedInputTokens: 0, outputTokens };
}

function withOverhead(usage: Usage, tokens: TokenCounts, estimated: boolean): Usage {
  const { overhead } = usage;
  return {
    ...usage,
    estimated: usage.estimated || estimated,
    overhead: {
      input_tokens: overhead.input_tokens + tokens.inputTokens,
      cached_input_tokens: overhead.cached_input_tokens + tokens.cachedInputTokens,
      output_tokens: overhead.output_tokens + tokens.outputTokens,
    },
  };
}
