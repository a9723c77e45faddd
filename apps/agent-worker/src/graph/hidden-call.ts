import { withDeadline } from '@copilot/config';
import type { Usage } from '@copilot/contracts';
import type { BaseMessage } from '@langchain/core/messages';
import type { RunContext } from './run-context';

type Overhead = Usage['overhead'];

export interface HiddenCall {
  readonly messages: readonly BaseMessage[];
  readonly timeoutMs: number;
  /** Reading stops here: a model may go on for ever. */
  readonly maxChars: number;
  readonly temperature?: number;
}

export interface HiddenAnswer {
  /** What there is of it, also after a failure. */
  readonly text: string;
  /** Counted as overhead, since it is no iteration of the run's. */
  readonly tokens: Overhead;
  readonly failure?: unknown;
}

/** A model call that viewers do not see and that no run fails for: only a stop from outside throws. */
export async function hiddenCall(
  { model, signal, clock }: RunContext,
  { messages, timeoutMs, maxChars, temperature }: HiddenCall,
): Promise<HiddenAnswer> {
  let text = '';
  let tokens: Overhead = { input_tokens: 0, output_tokens: 0 };
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
        if (piece.type === 'usage') {
          const { inputTokens, outputTokens } = piece.tokens;
          tokens = added(tokens, { input_tokens: inputTokens, output_tokens: outputTokens });
        }
        if (text.length > maxChars) break;
      }
    });
    return { text: text.slice(0, maxChars), tokens };
  } catch (failure) {
    if (signal.aborted) throw failure;
    return { text: text.slice(0, maxChars), tokens, failure };
  }
}

export function withOverhead(usage: Usage, tokens: Overhead): Usage {
  return { ...usage, overhead: added(usage.overhead, tokens) };
}

function added(first: Overhead, second: Overhead): Overhead {
  return {
    input_tokens: first.input_tokens + second.input_tokens,
    output_tokens: first.output_tokens + second.output_tokens,
  };
}
