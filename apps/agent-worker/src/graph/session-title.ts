const MAX_LENGTH = 40;
const DEFAULT_NAMES = new Set(['new conversation', 'untitled session', 'untitled', 'title']);

/**
 * Turns what the model proposed into a title of at most 41 characters; one that says nothing is replaced by
 * the beginning of the user's message. Lengths and endings as the wire contract gives them.
 */
export function toSessionTitle(proposed: string, firstMessage: string): string {
  const title = proposed
    .replaceAll(/["'“”「」]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (title.length < 3 || DEFAULT_NAMES.has(title.toLowerCase())) return titleFromMessage(firstMessage);
  return title.length > MAX_LENGTH ? `${title.slice(0, 38).toWellFormed()}...` : title;
}

function titleFromMessage(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').trim();
  if (text === '') return 'Untitled Session';
  return text.length > 28 ? `${text.slice(0, 28).toWellFormed()}..` : text;
}
