import type { Steps } from '../counting/steps';
import type { HistoryMessage } from '../messages/message';
import type { MessageCounter } from '../messages/message-counter';
import { shortenExchange, type Shortening } from './shorten-exchange';
import { type Exchange, flattenExchange, flattenTurn, type Turn } from './turns';

/** Below this a piece of a result tells the model nothing. */
const SMALLEST_SHARE_TOKENS = 200;
/** Overhead of one message or call, with some air. */
const SHARE_MARGIN_TOKENS = 24;

export interface Fitting extends Shortening {
  /** A result or a call's arguments above this are shortened before their exchange is dropped. */
  readonly oversized: number;
}

export interface FittedHistory {
  readonly turns: readonly Turn[];
  /** Of all that is kept beside the latest user message. */
  readonly tokens: number;
  /** What fell out, in order. */
  readonly dropped: readonly HistoryMessage[];
}

/**
 * What of a history fits into `roomTokens` beside the latest user message, which is always kept: the current
 * turn's exchanges, newest first, then older turns, newest first. It stops at the first that does not fit even
 * shortened, so what is kept has no holes but the one between a turn's question and its last exchanges.
 */
export function* fitHistory(
  turns: readonly Turn[],
  roomTokens: number,
  fitting: Fitting,
): Steps<FittedHistory> {
  const { counter } = fitting;
  const kept: Turn[] = [];
  /** What falls out, newest first until the end. */
  const dropped: HistoryMessage[][] = [];
  let room = roomTokens;
  let open = true;
  for (let index = turns.length - 1; index >= 0; index--) {
    const turn = turns[index];
    if (!turn) continue;
    const isCurrent = index === turns.length - 1;
    const userTokens = isCurrent ? 0 : yield* counter.messageSteps(turn.user);
    if (!open || userTokens > room) {
      open = false;
      dropped.push(flattenTurn(turn));
      continue;
    }
    const fitted = yield* fitExchanges(turn.exchanges, room - userTokens, isCurrent, fitting);
    const lost = turn.exchanges.slice(0, turn.exchanges.length - fitted.exchanges.length);
    open = lost.length === 0;
    if (!isCurrent && !open && fitted.exchanges.length === 0) {
      dropped.push(flattenTurn(turn));
      continue;
    }
    kept.push({ user: turn.user, exchanges: fitted.exchanges });
    dropped.push(lost.flatMap(flattenExchange));
    room -= userTokens + fitted.tokens;
  }
  return { turns: kept.reverse(), tokens: roomTokens - room, dropped: dropped.reverse().flat() };
}

function* fitExchanges(
  exchanges: readonly Exchange[],
  roomTokens: number,
  isCurrentTurn: boolean,
  fitting: Fitting,
): Steps<{ exchanges: Exchange[]; tokens: number }> {
  const kept: Exchange[] = [];
  let tokens = 0;
  for (let index = exchanges.length - 1; index >= 0; index--) {
    const exchange = exchanges[index];
    if (!exchange) continue;
    // Without the exchange it has just made, the model would make it again.
    const isNewest = isCurrentTurn && index === exchanges.length - 1;
    const fitted = yield* fitExchange(exchange, roomTokens - tokens, isNewest, fitting);
    if (!fitted) break;
    kept.unshift(fitted.exchange);
    tokens += fitted.tokens;
  }
  return { exchanges: kept, tokens };
}

function* fitExchange(
  exchange: Exchange,
  roomTokens: number,
  isNewest: boolean,
  fitting: Fitting,
): Steps<{ exchange: Exchange; tokens: number } | undefined> {
  const { counter, oversized } = fitting;
  const whole = yield* exchangeTokens(exchange, counter);
  if (whole <= roomTokens) return { exchange, tokens: whole };
  const limits = isNewest ? [oversized, shareOf(exchange, roomTokens)] : [oversized];
  for (const maxTokens of limits) {
    if (maxTokens < SMALLEST_SHARE_TOKENS) continue;
    const shortened = yield* shortenExchange(exchange, maxTokens, fitting);
    const tokens = yield* exchangeTokens(shortened, counter);
    if (tokens <= roomTokens) return { exchange: shortened, tokens };
  }
  return undefined;
}

/** What each result and each call may take for all of them to fit. */
function shareOf({ assistant, results }: Exchange, roomTokens: number): number {
  return Math.floor(roomTokens / (results.length + assistant.toolCalls.length + 1)) - SHARE_MARGIN_TOKENS;
}

function exchangeTokens(exchange: Exchange, counter: MessageCounter): Steps<number> {
  return counter.messagesSteps(flattenExchange(exchange));
}
