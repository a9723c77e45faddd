import type {
  AssistantMessage,
  Content,
  SystemMessage,
  ToolCall,
  ToolMessage,
  UserMessage,
} from '../messages/message';

/** The cases' shorthand: S, H, AI[a,b], Ta. */
export const system = (content: Content): SystemMessage => ({ role: 'system', content });
export const user = (content: Content): UserMessage => ({ role: 'user', content });
export const answer = (content: Content): AssistantMessage => ({ role: 'assistant', content, toolCalls: [] });
export const call = (id: string, json = '{}'): ToolCall => ({ id, name: 'show', arguments: json });
export const calls = (...toolCalls: (ToolCall | string)[]): AssistantMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: toolCalls.map((item) => (typeof item === 'string' ? call(item) : item)),
});
export const result = (toolCallId: string, content: Content = 'up'): ToolMessage => ({
  role: 'tool',
  toolCallId,
  content,
});
