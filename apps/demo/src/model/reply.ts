import { randomBytes } from 'node:crypto';
import type { ChatRequest } from './chat-request';
import type { Plan } from './planner';
import { callId } from './turn';

export interface ReplyCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** A whole answer before it goes on the wire. */
export interface Reply {
  readonly id: string;
  readonly text: string;
  readonly calls: readonly ReplyCall[];
  readonly finish: 'stop' | 'tool_calls' | 'length';
  readonly usage: Usage;
}

const CHARACTERS_PER_TOKEN = 4;

export function toReply(plan: Plan, request: ChatRequest, promptCharacters: number): Reply {
  const calls = plan.calls.map((call) => ({
    id: callId(plan.stage, randomBytes(6).toString('hex')),
    name: call.tool,
    arguments: JSON.stringify(call.args),
  }));
  const cut = cutToLength(plan.text, calls, request.max_completion_tokens ?? request.max_tokens ?? undefined);
  const characters =
    cut.text.length + cut.calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  const prompt = Math.ceil(promptCharacters / CHARACTERS_PER_TOKEN);
  const completionTokens = Math.max(1, Math.ceil(characters / CHARACTERS_PER_TOKEN));
  return {
    id: `chatcmpl-${randomBytes(12).toString('hex')}`,
    ...cut,
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completionTokens,
      total_tokens: prompt + completionTokens,
    },
  };
}

/** Stops in the middle of a word or of a call's arguments, as a provider does at its token limit. */
function cutToLength(
  text: string,
  calls: readonly ReplyCall[],
  maxTokens: number | undefined,
): Pick<Reply, 'text' | 'calls' | 'finish'> {
  let left = (maxTokens ?? Infinity) * CHARACTERS_PER_TOKEN;
  const take = (part: string): string => {
    const taken = part.slice(0, Math.max(0, left));
    left -= part.length;
    return taken;
  };
  const cutText = take(text);
  const cutCalls: ReplyCall[] = [];
  for (const call of calls) {
    if (left > 0) cutCalls.push({ ...call, arguments: take(call.arguments) });
    else left -= 1;
  }
  const finish = left < 0 ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  return { text: cutText, calls: cutCalls, finish };
}

/** The answer to a request without `stream`. */
export function completion(reply: Reply, model: string): Record<string, unknown> {
  const toolCalls = reply.calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  return {
    id: reply.id,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text === '' ? null : reply.text,
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
        finish_reason: reply.finish,
      },
    ],
    usage: reply.usage,
  };
}
