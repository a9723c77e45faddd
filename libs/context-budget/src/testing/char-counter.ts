import { MessageCounter } from '../messages/message-counter';

/** Counts a token for every `charsPerToken` characters begun, so a test can set sizes to the token. */
export function charCounter(charsPerToken = 1): MessageCounter {
  return new MessageCounter({
    *countSteps(text) {
      return Math.ceil(text.length / charsPerToken);
    },
  });
}
