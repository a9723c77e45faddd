import type { ToolName } from '@copilot/contracts';
import type { Steps } from '../counting/steps';
import { MAX_BYTES_PER_UNIT } from '../counting/utf8';
import {
  type BudgetTool,
  contentText,
  isTextBlock,
  type ToolCall,
  type ToolMessage,
} from '../messages/message';
import type { MessageCounter } from '../messages/message-counter';
import { shortenArguments } from './shorten-arguments';
import { shortenText } from './shorten-text';
import type { Exchange } from './turns';

/** What exchanges are shortened with. */
export interface Shortening {
  readonly counter: MessageCounter;
  /** A tool that reads on in a stored result is bound to the call. */
  readonly readerIsBound: boolean;
}

/** The tool that pages through a stored result. */
const READER = 'read_tool_output' satisfies ToolName;
/** A provider's id that is longer than this would take the room of what it is to help with. */
const MAX_HINTED_ID_CHARS = 100;

export function bindsReader(tools: readonly BudgetTool[]): boolean {
  return tools.some(({ name }) => name === READER);
}

/** An exchange whose results and call arguments are at most `maxTokens` each; the same object if all were. */
export function* shortenExchange(
  exchange: Exchange,
  maxTokens: number,
  shortening: Shortening,
): Steps<Exchange> {
  const { assistant } = exchange;
  const { counter } = shortening;
  const results: ToolMessage[] = [];
  for (const result of exchange.results) results.push(yield* shortenResult(result, maxTokens, shortening));
  const toolCalls: ToolCall[] = [];
  for (const call of assistant.toolCalls) toolCalls.push(yield* shortenCall(call, maxTokens, counter));
  const sameCalls = toolCalls.every((call, index) => call === assistant.toolCalls[index]);
  if (sameCalls && results.every((result, index) => result === exchange.results[index])) return exchange;
  return { assistant: sameCalls ? assistant : { ...assistant, toolCalls }, results };
}

function* shortenResult(
  result: ToolMessage,
  maxTokens: number,
  { counter, readerIsBound }: Shortening,
): Steps<ToolMessage> {
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
    readerIsBound ? readerHint(result.toolCallId) : '',
  );
  return {
    ...result,
    content: typeof result.content === 'string' ? text : [{ type: 'text', text }, ...others],
  };
}

function readerHint(toolCallId: string): string {
  if (toolCallId.length > MAX_HINTED_ID_CHARS) return '';
  return `; ${READER} with tool_call_id ${JSON.stringify(toolCallId)} reads or searches all of it`;
}

function* shortenCall(call: ToolCall, maxTokens: number, counter: MessageCounter): Steps<ToolCall> {
  // A token is at least one byte, so a short text needs no counting.
  if (call.arguments.length * MAX_BYTES_PER_UNIT <= maxTokens) return call;
  const tokens = yield* counter.textSteps(call.arguments);
  if (tokens <= maxTokens) return call;
  return { ...call, arguments: yield* shortenArguments(call.arguments, tokens, maxTokens, counter) };
}
