import type { Steps } from '../counting/steps';
import type { MessageCounter } from '../messages/message-counter';

/** Kept free for the marker line and for tokens that come into being where the parts meet. */
const MARKER_TOKENS = 40;
/** A cut moves to a line's edge if that costs no more than this share of the part. */
const LINE_SEARCH_SHARE = 0.2;
const MAX_TRIES = 12;

/** The line that stands for what was left out; `hint` says how to read it. */
export function omissionMarker(leftOutTokens: number, totalTokens: number, hint = ''): string {
  return `[... ${leftOutTokens} of ${totalTokens} tokens left out${hint} ...]`;
}

/**
 * Head and tail of a text around one marker line, `maxTokens` in all. Only the kept parts are counted, so the
 * cost depends on `maxTokens` and not on the text. `totalTokens` is the text's own count; `hint` goes into the
 * marker line.
 */
export function* shortenText(
  text: string,
  totalTokens: number,
  maxTokens: number,
  counter: MessageCounter,
  hint = '',
): Steps<string> {
  if (totalTokens <= maxTokens) return text;
  const markerTokens = MARKER_TOKENS + (hint === '' ? 0 : yield* counter.textSteps(hint));
  const half = Math.max(0, Math.floor((maxTokens - markerTokens) / 2));
  const chars = Math.floor((text.length / totalTokens) * half);
  const head = yield* fitPart(text, chars, half, headOf, counter);
  const tail = yield* fitPart(text, chars, half, tailOf, counter);
  const marker = omissionMarker(Math.max(0, totalTokens - head.tokens - tail.tokens), totalTokens, hint);
  return [head.text, marker, tail.text].filter((part) => part !== '').join('\n');
}

function* fitPart(
  text: string,
  startChars: number,
  maxTokens: number,
  cut: (text: string, chars: number) => string,
  counter: MessageCounter,
): Steps<{ text: string; tokens: number }> {
  let chars = startChars;
  for (let tries = 0; tries < MAX_TRIES && chars > 0; tries++) {
    const part = cut(text, chars);
    const tokens = yield* counter.textSteps(part);
    if (tokens <= maxTokens) return { text: part, tokens };
    chars = Math.floor(Math.min(part.length, chars) * (maxTokens / tokens) * 0.95);
  }
  return { text: '', tokens: 0 };
}

function headOf(text: string, chars: number): string {
  let end = chars;
  const lineEnd = text.lastIndexOf('\n', end - 1);
  if (lineEnd > chars * (1 - LINE_SEARCH_SHARE)) end = lineEnd;
  // Never half a surrogate pair.
  else if (isLowSurrogate(text.charCodeAt(end))) end--;
  return text.slice(0, end);
}

function tailOf(text: string, chars: number): string {
  let start = Math.max(0, text.length - chars);
  const lineEnd = text.indexOf('\n', start);
  if (lineEnd >= 0 && lineEnd - start < chars * LINE_SEARCH_SHARE) start = lineEnd + 1;
  else if (isLowSurrogate(text.charCodeAt(start))) start++;
  return text.slice(start);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
