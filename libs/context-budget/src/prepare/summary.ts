import type { Steps } from '../counting/steps';
import type { UserMessage } from '../messages/message';
import type { MessageCounter } from '../messages/message-counter';
import { shortenText } from './shorten-text';

/** Share of the input budget that a summary of what fell out may take. */
const SUMMARY_SHARE = 0.1;
const HEADING = 'Summary of the earlier part of this conversation, which is left out here:';
/** Heading, message overhead and the seam to the user's own text. */
const FRAME_TOKENS = 32;

/** Tokens a summary may take, its heading included. */
export function summaryBudget(inputBudget: number): number {
  return Math.floor(inputBudget * SUMMARY_SHARE);
}

/**
 * The summary as the first message of the history. A user message, not a part of the system message: it retells
 * what users and devices said and must not gain the system prompt's authority. The user message behind it
 * becomes one with it, as any two user messages do.
 */
export function* summaryMessage(
  summary: string,
  maxTokens: number,
  counter: MessageCounter,
): Steps<UserMessage> {
  const tokens = yield* counter.textSteps(summary);
  const fitted = yield* shortenText(summary, tokens, maxTokens - FRAME_TOKENS, counter);
  return { role: 'user', content: `${HEADING}\n${fitted}` };
}
