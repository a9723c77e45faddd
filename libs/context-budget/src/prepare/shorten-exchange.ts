import type { Steps } from '../counting/steps';
import { MAX_BYTES_PER_UNIT } from '../counting/utf8';
import { contentText, isTextBlock, type ToolCall, type ToolMessage } from '../messages/message';
import type { MessageCounter } from '../messages/message-counter';
import { shortenArguments } from './shorten-arguments';
import { shortenText } from './shorten-text';
import type { Exchange } from './turns';

/** An exchange whose results and call arguments are at most `maxTokens` each; the same object if all were. */
export function* shortenExchange(
  exchange: Exchange,
  maxTokens: number,
  counter: MessageCounter,
): Steps<Exchange> {
  const { assistant } = exchange;
  const results: ToolMessage[] = [];
  for (const result of exchange.results) results.push(yield* shortenResult(result, maxTokens, counter));
  const toolCalls: ToolCall[] = [];
  for (const call of assistant.toolCalls) toolCalls.push(yield* shortenCall(call, maxTokens, counter));
  const sameCalls = toolCalls.every((call, index) => call === assistant.toolCalls[index]);
  if (sameCalls && results.every((result, index) => result === exchange.results[index])) return exchange;
  return { assistant: sameCalls ? assistant : { ...assistant, toolCalls }, results };
}

function* shortenResult(result: ToolMessage, maxTokens: number, counter: MessageCounter): Steps<ToolMessage> {
  const tokens = yield* counter.messageSteps(result);
  if (tokens <= maxTokens) return result;
  const others =
    typeof result.content === 'string' ? [] : result.content.filter((block) => !isTextBlock(block));
  // Whatever is not text (overhead, images) stays and takes its part.
  const otherTokens = yield* counter.messageSteps({ role: 'tool', toolCallId: '', content: others });
  const text = yield* shortenText(
    contentText(result.content),
    tokens - otherTokens,
    maxTokens - otherTokens,
    counter,
  );
  return {
    ...result,
    content: typeof result.content === 'string' ? text : [{ type: 'text', text }, ...others],
  };
}

function* shortenCall(call: ToolCall, maxTokens: number, counter: MessageCounter): Steps<ToolCall> {
  // A token is at least one byte, so a short text needs no counting.
  if (call.arguments.length * MAX_BYTES_PER_UNIT <= maxTokens) return call;
  const tokens = yield* counter.textSteps(call.arguments);
  if (tokens <= maxTokens) return call;
  return { ...call, arguments: yield* shortenArguments(call.arguments, tokens, maxTokens, counter) };
}
