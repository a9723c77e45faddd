import type { BudgetMessage, Content, ContentBlock } from '@copilot/context-budget';
import {
  AIMessage,
  HumanMessage,
  isAIMessage,
  isHumanMessage,
  isToolMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';

/** LangChain's messages as the context budget knows them. */
export function toBudgetMessage(message: BaseMessage): BudgetMessage {
  const id = message.id === undefined ? {} : { id: message.id };
  const content = toContent(message.content);
  if (isHumanMessage(message)) return { role: 'user', ...id, content };
  if (isToolMessage(message)) {
    return { role: 'tool', ...id, toolCallId: message.tool_call_id, ...named(message.name), content };
  }
  if (isAIMessage(message)) {
    const toolCalls = (message.tool_calls ?? []).map((call) => ({
      id: call.id ?? '',
      name: call.name,
      arguments: JSON.stringify(call.args),
    }));
    return { role: 'assistant', ...id, content, toolCalls };
  }
  return { role: 'system', ...id, content };
}

/** What the budget has prepared, as LangChain's messages for the model. */
export function fromBudgetMessage(message: BudgetMessage): BaseMessage {
  const fields = {
    ...(message.id === undefined ? {} : { id: message.id }),
    content: fromContent(message.content),
  };
  switch (message.role) {
    case 'system':
      return new SystemMessage(fields);
    case 'user':
      return new HumanMessage(fields);
    case 'assistant':
      return new AIMessage({
        ...fields,
        tool_calls: message.toolCalls.map((call) => ({
          id: call.id,
          name: call.name,
          args: toArgs(call.arguments),
          type: 'tool_call' as const,
        })),
      });
    case 'tool':
      return new ToolMessage({ ...fields, tool_call_id: message.toolCallId, ...named(message.name) });
  }
}

const named = (name: string | undefined) => (name === undefined ? {} : { name });

function toContent(content: BaseMessage['content']): Content {
  return typeof content === 'string' ? content : content.map((block): ContentBlock => ({ ...block }));
}

function fromContent(content: Content) {
  return typeof content === 'string' ? content : content.map((block) => ({ ...block }));
}

/** The budget keeps arguments valid JSON objects, also where it has shortened them. */
function toArgs(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
