import { type Content, type HistoryMessage, isTextBlock } from '../messages/message';

export const EMPTY_RESULT = '(no output)';
export const EMPTY_MESSAGE = '(no text)';

/** Providers refuse empty text. The same message comes back where there is none in it. */
export function fillBlankTexts(message: HistoryMessage): HistoryMessage {
  const content = withoutBlankTexts(message.content, placeholderOf(message));
  return content === message.content ? message : { ...message, content };
}

/** A message that carries calls needs no text of its own: no text block is made of ''. */
function placeholderOf(message: HistoryMessage): string {
  if (message.role === 'assistant' && message.toolCalls.length > 0) return '';
  return message.role === 'tool' ? EMPTY_RESULT : EMPTY_MESSAGE;
}

function withoutBlankTexts(content: Content, placeholder: string): Content {
  if (typeof content === 'string') return content.trim() === '' ? placeholder : content;
  const blocks = content.filter((block) => !isTextBlock(block) || block.text.trim() !== '');
  if (blocks.length === 0) return placeholder;
  return blocks.length === content.length ? content : blocks;
}

/** The texts of two messages that become one, in order. */
export function joinContents(first: Content, second: Content): Content {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return [...asBlocks(first), ...asBlocks(second)];
}

function asBlocks(content: Content) {
  return typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
}
