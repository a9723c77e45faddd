import { runNow, STRETCH_CHARS, type Steps } from '../counting/steps';
import { CountMemo } from './count-memo';
import type { BudgetMessage, BudgetTool } from './message';
import { MESSAGE_OVERHEAD_TOKENS, messageTexts } from './message-texts';

/** Any exact counter of text; `TokenCounter` is ours. */
export interface TextCounter {
  countSteps(text: string): Steps<number>;
}

/** A count went wrong: there is nothing to fall back to, so the run ends. */
export class TokenCountError extends Error {
  override readonly name = 'TokenCountError';
}

/**
 * Counts what a provider is sent. Counts are remembered by message id and content, so a history that has
 * grown by two messages costs two counts. Keep one for the life of a process.
 */
export class MessageCounter {
  private readonly memo = new CountMemo();
  /** Many small texts are a long stretch of work too. */
  private charsSincePause = 0;

  constructor(private readonly counter: TextCounter) {}

  countMessage(message: BudgetMessage): number {
    return runNow(this.messageSteps(message));
  }

  countMessages(messages: readonly BudgetMessage[]): number {
    return messages.reduce((total, message) => total + this.countMessage(message), 0);
  }

  countTools(tools: readonly BudgetTool[]): number {
    return tools.reduce((total, tool) => total + runNow(this.toolSteps(tool)), 0);
  }

  /** Tokens of several messages. Remembered ones are added up without a generator for each. */
  *messagesSteps(messages: readonly BudgetMessage[]): Steps<number> {
    let tokens = 0;
    for (const message of messages)
      tokens += this.knownTokens(message) ?? (yield* this.messageSteps(message));
    return tokens;
  }

  private knownTokens(message: BudgetMessage): number | undefined {
    const { texts, fixedTokens } = messageTexts(message);
    const known = message.id === undefined ? undefined : this.memo.get(message.id, texts);
    return known === undefined ? undefined : known + fixedTokens;
  }

  *messageSteps(message: BudgetMessage): Steps<number> {
    const { texts, fixedTokens } = messageTexts(message);
    return fixedTokens + (yield* this.rememberedSteps(message.id, texts));
  }

  /** A text that comes again with every call: the system prompt, the topology. */
  *fixedTextSteps(text: string): Steps<number> {
    return yield* this.rememberedSteps(`text:${text}`, [text]);
  }

  *systemSteps(text: string): Steps<number> {
    return MESSAGE_OVERHEAD_TOKENS + (yield* this.fixedTextSteps(text));
  }

  *toolSteps(tool: BudgetTool): Steps<number> {
    return yield* this.rememberedSteps(`tool:${tool.name}`, [toolJson(tool)]);
  }

  /** Text that is made while trimming and seen once: counted without being remembered. */
  *textSteps(text: string): Steps<number> {
    let tokens: number;
    try {
      tokens = yield* this.counter.countSteps(text);
    } catch (cause) {
      throw new TokenCountError('Tokens could not be counted', { cause });
    }
    this.charsSincePause += text.length;
    if (this.charsSincePause >= STRETCH_CHARS) {
      this.charsSincePause = 0;
      yield;
    }
    return tokens;
  }

  private *rememberedSteps(key: string | undefined, texts: readonly string[]): Steps<number> {
    const known = key === undefined ? undefined : this.memo.get(key, texts);
    if (known !== undefined) return known;
    let tokens = 0;
    for (const text of texts) tokens += yield* this.textSteps(text);
    if (key !== undefined) this.memo.set(key, texts, tokens);
    return tokens;
  }
}

/** A tool definition as providers receive it. */
export function toolJson({ name, description, parameters }: BudgetTool): string {
  return JSON.stringify({ type: 'function', function: { name, description, parameters } });
}
