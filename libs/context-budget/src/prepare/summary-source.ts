import { runYielding, type Steps } from '../counting/steps';
import { type BudgetMessage, contentText, type HistoryMessage } from '../messages/message';
import type { MessageCounter } from '../messages/message-counter';
import { shortenText } from './shorten-text';

/** Of one result or one call's arguments a summary needs no more than this. */
const MAX_PART_TOKENS = 1_000;

/**
 * The messages that a summary is still to take in: from the one after `upTo`, the last that it has, to the last
 * that is left out. User messages in between that are kept go in too: they say what the rest was about.
 */
export function unsummarized(
  messages: readonly BudgetMessage[],
  leftOut: readonly HistoryMessage[],
  upTo: string | undefined,
): readonly BudgetMessage[] {
  const ids = new Set(leftOut.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const end = messages.findLastIndex(({ id }) => id !== undefined && ids.has(id));
  const start = upTo === undefined ? -1 : messages.findIndex(({ id }) => id === upTo);
  return messages.slice(start + 1, end + 1);
}

/** The messages as one text of at most `maxTokens`, long results shortened, for a model to summarise. */
export function summarySource(
  messages: readonly BudgetMessage[],
  maxTokens: number,
  counter: MessageCounter,
  yieldNow: () => Promise<void>,
): Promise<string> {
  return runYielding(sourceSteps(messages, maxTokens, counter), yieldNow);
}

function* sourceSteps(
  messages: readonly BudgetMessage[],
  maxTokens: number,
  counter: MessageCounter,
): Steps<string> {
  const parts: string[] = [];
  for (const message of messages) {
    for (const [speaker, text] of partsOf(message)) {
      if (text.trim() !== '') parts.push(`${speaker}: ${yield* shortened(text, MAX_PART_TOKENS, counter)}`);
    }
  }
  return yield* shortened(parts.join('\n\n'), maxTokens, counter);
}

function* shortened(text: string, maxTokens: number, counter: MessageCounter): Steps<string> {
  return yield* shortenText(text, yield* counter.textSteps(text), maxTokens, counter);
}

function partsOf(message: BudgetMessage): [speaker: string, text: string][] {
  const text = contentText(message.content);
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [['User', text]];
    case 'tool':
      return [[`Result of ${message.name ?? message.toolCallId}`, text]];
    case 'assistant':
      return [
        ['Assistant', text],
        ...message.toolCalls.map((call): [string, string] => [
          `Assistant called ${call.name}`,
          call.arguments,
        ]),
      ];
  }
}
