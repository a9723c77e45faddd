import { contentText, type BudgetMessage, type ContentBlock } from '@copilot/context-budget';
import type { ChatMessage, Script } from './scripted-model';

/** A provider that refuses what the strictest would refuse, and else answers by the script. */
export function strict(script: Script): Script {
  return (request, call) => {
    const faults = requestFaults(request.messages.map(asBudgetMessage));
    return faults.length > 0
      ? { status: 400, error: `refused: ${faults.join('; ')}` }
      : script(request, call);
  };
}

/** A message as it came over the wire, in the form in which the service counts it. */
export function asBudgetMessage(message: ChatMessage): BudgetMessage {
  const content =
    typeof message.content === 'string' ? message.content : ((message.content ?? '') as ContentBlock[] | '');
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content };
    case 'tool':
      return { role: 'tool', toolCallId: message.tool_call_id ?? '', content };
    case 'assistant':
      return {
        role: 'assistant',
        content,
        toolCalls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
          id,
          name,
          arguments: json,
        })),
      };
  }
}

/**
 * What is wrong with a request by the strictest reading of three providers' rules. OpenAI: every tool message
 * answers a call of the assistant message before it, and every call is answered. Anthropic: one leading system
 * text, user and assistant take turns (tool results count as the user's turn), ids unique, no empty text.
 * Gemini: the first turn is the user's, a turn with calls follows a user's or a function's turn.
 */
export function requestFaults(messages: readonly BudgetMessage[]): string[] {
  const faults: string[] = [];
  const seenIds = new Set<string>();
  let open = new Set<string>();
  messages.forEach((message, index) => {
    const before = messages[index - 1]?.role;
    const fault = (text: string) => faults.push(`message ${index} (${message.role}): ${text}`);
    if ((message.role === 'system') !== (index === 0)) fault('exactly one system message, and first');
    if (index === 1 && message.role !== 'user') fault('the first turn is not a user’s');
    if (message.role !== 'tool' && open.size > 0) fault(`calls without a result: ${[...open].join(', ')}`);
    if (message.role === 'user' && before === 'user') fault('two user turns in a row');
    if (message.role === 'assistant' && before !== 'user' && before !== 'tool')
      fault('answers no user or tool turn');
    const mayBeEmpty = message.role === 'assistant' && message.toolCalls.length > 0;
    if (contentText(message.content).trim() === '' && !mayBeEmpty && typeof message.content === 'string')
      fault('empty text');
    if (
      typeof message.content !== 'string' &&
      message.content.some((block) => block.type === 'text' && String(block.text).trim() === '')
    ) {
      fault('empty text block');
    }
    if (message.role === 'tool' && !open.delete(message.toolCallId)) fault('result without a call');
    if (message.role === 'assistant') {
      open = new Set(message.toolCalls.map((call) => call.id));
      for (const { id } of message.toolCalls) {
        if (id.trim() === '' || seenIds.has(id)) fault(`id "${id}" is missing or repeated`);
        seenIds.add(id);
      }
    }
  });
  if (open.size > 0) faults.push(`calls without a result: ${[...open].join(', ')}`);
  return faults;
}
