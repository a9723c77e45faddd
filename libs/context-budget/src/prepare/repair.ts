import type { HistoryMessage, UserMessage } from '../messages/message';
import { fillBlankTexts, joinContents } from './blank-texts';
import { pairCalls } from './pair-calls';

/**
 * Makes any history one that every provider accepts, whatever a killed run left behind: texts are not empty,
 * each call has exactly one result right behind it, ids are unique, answers do not follow one another, and a
 * user message comes first. A history with nothing to repair comes back as the same array.
 */
export function repairHistory(history: readonly HistoryMessage[]): readonly HistoryMessage[] {
  const filled = history.map(fillBlankTexts);
  const paired = pairCalls(filled);
  const repaired = joinAnswers(fromFirstUser(paired));
  return isSame(repaired, history) ? history : repaired;
}

function fromFirstUser(history: readonly HistoryMessage[]): readonly HistoryMessage[] {
  const first = history.findIndex((message) => message.role === 'user');
  if (first < 0) return [];
  return first === 0 ? history : history.slice(first);
}

/** An answer without calls that is followed by another assistant message becomes one with it. */
function joinAnswers(history: readonly HistoryMessage[]): HistoryMessage[] {
  const joined: HistoryMessage[] = [];
  for (const message of history) {
    const last = joined.at(-1);
    if (message.role === 'assistant' && last?.role === 'assistant' && last.toolCalls.length === 0) {
      const content = message.content === '' ? last.content : joinContents(last.content, message.content);
      joined[joined.length - 1] = { ...message, content };
    } else {
      joined.push(message);
    }
  }
  return joined;
}

/**
 * User messages that follow one another become one, for providers that insist on taking turns. Done after
 * trimming, so that an old message that was never answered can still be dropped.
 */
export function joinUsers(history: readonly HistoryMessage[]): readonly HistoryMessage[] {
  const joined: HistoryMessage[] = [];
  for (const message of history) {
    const last = joined.at(-1);
    if (message.role === 'user' && last?.role === 'user') joined[joined.length - 1] = joinTwo(last, message);
    else joined.push(message);
  }
  return joined.length === history.length ? history : joined;
}

function joinTwo(first: UserMessage, second: UserMessage): UserMessage {
  return { ...second, content: joinContents(first.content, second.content) };
}

export function isSame(first: readonly HistoryMessage[], second: readonly HistoryMessage[]): boolean {
  return first.length === second.length && first.every((message, index) => message === second[index]);
}
