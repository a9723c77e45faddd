import type { ContextStrategy } from '@copilot/contracts';
import type { BudgetMessage, HistoryMessage } from '../messages/message';

/** The figures of one request, uncorrected: system + history + tools = total, base + topology = system. */
export interface ContextReport {
  readonly model: string;
  readonly strategy: ContextStrategy;
  readonly system: number;
  readonly base: number;
  readonly topology: number;
  readonly history: number;
  readonly tools: number;
  readonly total: number;
  readonly toolCount: number;
  /** The model's window, in tokens and in K. */
  readonly limit: number;
  readonly limitK: number;
  readonly outputReserve: number;
  /** System and history before anything was left out. */
  readonly messageTokensBefore: number;
  /** Messages of the history, without the system message. */
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  readonly shortenedResults: number;
  /** The learned ratio. Text was fitted with it where it is above 1. */
  readonly correction: number;
}

export const WARNING_CODES = ['tools_over_budget', 'system_over_budget', 'message_over_budget'] as const;

export interface ContextWarning {
  readonly code: (typeof WARNING_CODES)[number];
  /** Figures and what to change, for the log and the user. */
  readonly message: string;
}

export interface ContextTooLarge {
  readonly code: 'context_too_large';
  readonly message: string;
  readonly systemTokens: number;
  readonly toolTokens: number;
  readonly userTokens: number;
  /** The smallest `context_limit` (K tokens) with which the request could be sent. */
  readonly requiredLimitK: number;
}

export interface PreparedContext {
  readonly ok: true;
  /** One system message, then the history. */
  readonly messages: readonly BudgetMessage[];
  /** The history alone: the very array that was given if all of it fits and nothing was to repair. */
  readonly history: readonly HistoryMessage[];
  /** What was left out, in order: the text for a summary. */
  readonly dropped: readonly HistoryMessage[];
  readonly report: ContextReport;
  /** The input budget as it was applied, in our own tokens: cut after an overflow, divided by the learned ratio. */
  readonly budget: number;
  readonly warnings: readonly ContextWarning[];
  /** Trimming failed with this error and the last valid messages are sent instead; log it. */
  readonly fallbackCause?: unknown;
}

export type ContextOutcome = PreparedContext | { readonly ok: false; readonly error: ContextTooLarge };
