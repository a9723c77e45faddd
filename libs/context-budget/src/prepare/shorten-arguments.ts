import type { Steps } from '../counting/steps';
import type { MessageCounter } from '../messages/message-counter';
import { omissionMarker, shortenText } from './shorten-text';

/** Shares of long strings and lists that are kept, as parts of what the limit allows, tried in turn. */
const KEPT_SHARES = [0.9, 0.7, 0.45, 0.25, 0.1];
const SHORT_STRING_CHARS = 200;
const SHORT_LIST_ITEMS = 8;

/**
 * Arguments of a call, shortened to `maxTokens` and still valid JSON. Their shape is kept where that is enough
 * (models copy what they see themselves do): long strings and lists lose their middle, where the marker then
 * stands. Arguments of any other shape become one string.
 */
export function* shortenArguments(
  json: string,
  totalTokens: number,
  maxTokens: number,
  counter: MessageCounter,
): Steps<string> {
  if (totalTokens <= maxTokens) return json;
  const parsed = parseJson(json);
  if (typeof parsed === 'object' && parsed !== null) {
    for (const part of KEPT_SHARES) {
      const share = (part * maxTokens) / totalTokens;
      const kept = yield* counter.textSteps(JSON.stringify(cutValue(parsed, share, '')));
      const marker = omissionMarker(Math.max(0, totalTokens - kept), totalTokens);
      const shortened = JSON.stringify(cutValue(parsed, share, marker));
      if ((yield* counter.textSteps(shortened)) <= maxTokens) return shortened;
    }
  }
  return yield* asOneString(json, totalTokens, maxTokens, counter);
}

/** Quotes and line breaks grow when they are written as a JSON string, so the goal shrinks until that fits. */
function* asOneString(
  json: string,
  total: number,
  maxTokens: number,
  counter: MessageCounter,
): Steps<string> {
  for (let goal = maxTokens; goal > 1; goal = Math.floor(goal / 2)) {
    const shortened = JSON.stringify({ shortened: yield* shortenText(json, total, goal, counter) });
    if ((yield* counter.textSteps(shortened)) <= maxTokens) return shortened;
  }
  return '{}';
}

function cutValue(value: unknown, share: number, marker: string): unknown {
  if (typeof value === 'string') return cutString(value, share, marker);
  if (Array.isArray(value)) return cutList(value, share, marker);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutValue(item, share, marker)]));
}

function cutString(text: string, share: number, marker: string): string {
  if (text.length <= SHORT_STRING_CHARS) return text;
  const characters = Math.floor((text.length * share) / 2);
  return [text.slice(0, characters), marker, text.slice(text.length - characters)].join('\n');
}

function cutList(items: readonly unknown[], share: number, marker: string): unknown[] {
  if (items.length <= SHORT_LIST_ITEMS) return items.map((item) => cutValue(item, share, marker));
  const kept = Math.max(1, Math.floor((items.length * share) / 2));
  const cut = (item: unknown): unknown => cutValue(item, share, marker);
  return [...items.slice(0, kept).map(cut), marker, ...items.slice(-kept).map(cut)];
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
