/**
 * The lib's own message shape. It is what the budget needs to know of a chat message and no more; the agent
 * worker maps it from and to its framework's messages. Nothing here is ever changed in place.
 */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** Any block but text: an image, a file, a provider's own kind. */
export interface OtherBlock {
  readonly type: string;
  readonly text?: undefined;
  readonly [field: string]: unknown;
}

export type ContentBlock = TextBlock | OtherBlock;
export type Content = string | readonly ContentBlock[];

export interface SystemMessage {
  readonly role: 'system';
  readonly id?: string;
  readonly content: Content;
}

export interface UserMessage {
  readonly role: 'user';
  readonly id?: string;
  readonly content: Content;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The raw JSON text as the model wrote it. */
  readonly arguments: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly id?: string;
  readonly content: Content;
  readonly toolCalls: readonly ToolCall[];
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly id?: string;
  readonly toolCallId: string;
  readonly name?: string;
  readonly content: Content;
}

export type BudgetMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
/** What a history consists of once its system texts are folded into the one system message. */
export type HistoryMessage = Exclude<BudgetMessage, SystemMessage>;

/** A tool as it is bound to a call; `parameters` is its JSON schema. */
export interface BudgetTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

export function isTextBlock(block: ContentBlock): block is TextBlock {
  return block.type === 'text' && typeof block.text === 'string';
}

/** All text of a content, blocks separated by line breaks. */
export function contentText(content: Content): string {
  if (typeof content === 'string') return content;
  return content
    .filter(isTextBlock)
    .map((block) => block.text)
    .join('\n');
}
