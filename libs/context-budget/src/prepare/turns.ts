import type { AssistantMessage, HistoryMessage, ToolMessage, UserMessage } from '../messages/message';

/** One assistant message with all its tool results: kept whole or dropped whole. */
export interface Exchange {
  readonly assistant: AssistantMessage;
  readonly results: readonly ToolMessage[];
}

/** A user message and everything up to the next one. */
export interface Turn {
  readonly user: UserMessage;
  readonly exchanges: readonly Exchange[];
}

/** Groups a repaired history, which begins with a user message. */
export function groupTurns(history: readonly HistoryMessage[]): Turn[] {
  const turns: { user: UserMessage; exchanges: { assistant: AssistantMessage; results: ToolMessage[] }[] }[] =
    [];
  for (const message of history) {
    const turn = turns.at(-1);
    if (message.role === 'user') turns.push({ user: message, exchanges: [] });
    else if (message.role === 'assistant') turn?.exchanges.push({ assistant: message, results: [] });
    else turn?.exchanges.at(-1)?.results.push(message);
  }
  return turns;
}

export function flattenTurn({ user, exchanges }: Turn): HistoryMessage[] {
  return [user, ...exchanges.flatMap(flattenExchange)];
}

export function flattenExchange({ assistant, results }: Exchange): HistoryMessage[] {
  return [assistant, ...results];
}
