import { type BudgetMessage, type Content, type ContentBlock, isTextBlock } from './message';

/** Role and separators of one message, above what any current chat format takes. */
export const MESSAGE_OVERHEAD_TOKENS = 4;
/** Id and structure of one tool call beside its name and arguments. */
export const TOOL_CALL_OVERHEAD_TOKENS = 8;
/** One image or file: about the most that a provider charges for an image. Its base64 text is never counted. */
export const MEDIA_TOKENS = 1_600;

/** A string this long without white space is binary data in text form, not something a model reads as text. */
const ENCODED_DATA = /^(?:data:[^,]{0,200},)?[A-Za-z0-9+/=_-]{1000,}$/;
const MEDIA_TYPES = new Set([
  'image',
  'image_url',
  'input_image',
  'audio',
  'input_audio',
  'video',
  'file',
  'media',
]);

/** What a message costs: texts that have to be counted, and a fixed number of tokens. */
export interface MessageTexts {
  readonly texts: readonly string[];
  readonly fixedTokens: number;
}

export function messageTexts(message: BudgetMessage): MessageTexts {
  const { texts, media } = contentTexts(message.content);
  let fixedTokens = MESSAGE_OVERHEAD_TOKENS + media * MEDIA_TOKENS;
  if (message.role === 'assistant') {
    for (const call of message.toolCalls) texts.push(call.name, call.arguments);
    fixedTokens += message.toolCalls.length * TOOL_CALL_OVERHEAD_TOKENS;
  }
  return { texts, fixedTokens };
}

function contentTexts(content: Content): { texts: string[]; media: number } {
  if (typeof content === 'string') return { texts: [content], media: 0 };
  const texts: string[] = [];
  let media = 0;
  for (const block of content) {
    if (isTextBlock(block)) texts.push(block.text);
    else if (MEDIA_TYPES.has(block.type)) media++;
    else media += addUnknownBlock(block, texts);
  }
  return { texts, media };
}

/** A kind of block we do not know (a provider's reasoning, say) costs its JSON, encoded data in it excepted. */
function addUnknownBlock(block: ContentBlock, texts: string[]): number {
  let media = 0;
  const json = JSON.stringify(block, (_key, value: unknown) => {
    if (typeof value !== 'string' || !ENCODED_DATA.test(value)) return value;
    media++;
    return '';
  });
  texts.push(json);
  return media;
}
