import { type Content, contentText, type HistoryMessage } from '../messages/message';

/** No more than this is sent when trimming itself has failed. */
const MAX_MESSAGES = 20;
/** A rough and safe measure: device text has three to four characters a token. */
const CHARS_PER_TOKEN = 2;

/**
 * The last messages that are valid as they stand, found without counting or repairing anything: the latest user
 * message, then whole exchanges behind it. Used when trimming throws, so it must not depend on any of it.
 */
export function fallbackHistory(history: readonly HistoryMessage[], budgetTokens: number): HistoryMessage[] {
  const userIndex = history.findLastIndex((message) => message.role === 'user');
  const user = history[userIndex];
  if (!user) return [];
  const newest: HistoryMessage[] = [];
  let chars = budgetTokens * CHARS_PER_TOKEN - contentChars(user.content);
  for (const exchange of wholeExchanges(history.slice(userIndex + 1)).toReversed()) {
    chars -= exchange.reduce((total, message) => total + messageChars(message), 0);
    if (chars < 0 || newest.length + exchange.length >= MAX_MESSAGES) break;
    newest.unshift(...exchange);
  }
  return [user, ...newest];
}

/** Assistant messages with exactly their results behind them; anything else is passed over. */
function wholeExchanges(messages: readonly HistoryMessage[]): HistoryMessage[][] {
  const groups: HistoryMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'assistant') groups.push([message]);
    else groups.at(-1)?.push(message);
  }
  return groups.filter(([first, ...results]) => {
    if (first?.role !== 'assistant') return false;
    const answered = new Set(results.map((result) => (result.role === 'tool' ? result.toolCallId : '')));
    return (
      answered.size === results.length &&
      first.toolCalls.length === results.length &&
      (results.length > 0 || contentText(first.content).trim() !== '') &&
      first.toolCalls.every((call) => answered.has(call.id))
    );
  });
}

function messageChars(message: HistoryMessage): number {
  const calls = message.role === 'assistant' ? message.toolCalls : [];
  return contentChars(message.content) + calls.reduce((total, call) => total + call.arguments.length, 0);
}

function contentChars(content: Content): number {
  return contentText(content).length;
}
