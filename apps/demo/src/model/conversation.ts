import { parseJson } from '../http/http-server';
import type { ChatMessage, ChatRequest } from './chat-request';

export type Language = 'en' | 'zh';

/** A tool call that the model made, with what came back. */
export interface CallRecord {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  readonly result: string;
}

export interface OfferedTool {
  readonly name: string;
  readonly required: readonly string[];
}

/** What a request says, as far as the rules need it. */
export interface Conversation {
  readonly system: string;
  /** The latest user message; everything after it is the work on it so far. */
  readonly question: string;
  readonly language: Language;
  readonly isFirstAnswer: boolean;
  readonly rounds: readonly (readonly CallRecord[])[];
  /** Calls made for earlier questions, oldest first. */
  readonly earlier: readonly CallRecord[];
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly mayCall: boolean;
}

export function readConversation(request: ChatRequest): Conversation {
  const { messages } = request;
  const asked = messages.findLastIndex((each) => each.role === 'user');
  const question = messages[asked]?.content ?? '';
  const tools = (request.tools ?? []).map(({ function: { name, parameters } }): [string, OfferedTool] => [
    name,
    { name, required: parameters?.required ?? [] },
  ]);
  return {
    system: messages
      .filter((each) => each.role === 'system' || each.role === 'developer')
      .map((each) => each.content)
      .join('\n'),
    question,
    language: languageOf(question),
    isFirstAnswer: !messages.some((each) => each.role === 'assistant'),
    rounds: readRounds(messages.slice(asked + 1)),
    earlier: readRounds(messages.slice(0, Math.max(asked, 0))).flat(),
    tools: new Map(tools),
    mayCall: tools.length > 0 && request.tool_choice !== 'none',
  };
}

function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}

function readRounds(messages: readonly ChatMessage[]): CallRecord[][] {
  const results = new Map(
    messages.flatMap((each) => (each.role === 'tool' ? [[each.tool_call_id, each.content] as const] : [])),
  );
  return messages.flatMap((each) => {
    if (each.role !== 'assistant' || !each.tool_calls) return [];
    return [
      each.tool_calls.map((call) => ({
        id: call.id,
        tool: call.function.name,
        args: parseJson(call.function.arguments),
        result: results.get(call.id) ?? '',
      })),
    ];
  });
}
