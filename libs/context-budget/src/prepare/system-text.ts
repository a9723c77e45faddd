import { type BudgetMessage, contentText, type HistoryMessage } from '../messages/message';

export const TOPOLOGY_PLACEHOLDER = '{{topology_info}}';
export const NO_TOPOLOGY = '(No topology information available)';

export interface SystemPrompt {
  /** The prompt file's text, `{{topology_info}}` where the topology goes. */
  readonly template: string;
  /** The rendered topology; absent or blank where there is none. */
  readonly topology?: string;
}

export interface SystemText {
  readonly text: string;
  readonly topology: string;
}

/** Replaces by splitting: `String.replace` would read `$&` in a device's name as a pattern. */
export function renderSystemPrompt({ template, topology }: SystemPrompt): SystemText {
  const shown = topology?.trim() ? topology : NO_TOPOLOGY;
  const hasPlace = template.includes(TOPOLOGY_PLACEHOLDER);
  return { text: template.split(TOPOLOGY_PLACEHOLDER).join(shown), topology: hasPlace ? shown : '' };
}

/**
 * The one system text: the prompt, then system texts that are found in the history. A system message that an
 * earlier preparation made begins with the prompt and is not added to it a second time.
 */
export function foldSystemTexts(
  prompt: string,
  messages: readonly BudgetMessage[],
): { text: string; history: readonly HistoryMessage[] } {
  if (messages.every(isHistoryMessage)) return { text: prompt, history: messages };
  const parts = [prompt];
  for (const message of messages) {
    if (message.role !== 'system') continue;
    const found = contentText(message.content);
    const part = (found.startsWith(prompt) ? found.slice(prompt.length) : found).trim();
    if (part !== '' && !parts.includes(part)) parts.push(part);
  }
  return { text: parts.join('\n\n'), history: messages.filter(isHistoryMessage) };
}

function isHistoryMessage(message: BudgetMessage): message is HistoryMessage {
  return message.role !== 'system';
}
