import { runNow, runYielding, type Steps } from '../counting/steps';
import type { BudgetMessage, BudgetTool, HistoryMessage } from '../messages/message';
import { type MessageCounter, TokenCountError } from '../messages/message-counter';
import { type ContextConfig, inputBudget, outputReserve, oversizedTokens, TOKENS_PER_K } from './budget';
import { overBudget, tooLarge } from './does-not-fit';
import { fallbackHistory } from './fallback';
import { fitHistory } from './fit-history';
import type { ContextOutcome, ContextReport, ContextWarning, PreparedContext } from './outcome';
import { joinUsers, repairHistory } from './repair';
import { bindsReader } from './shorten-exchange';
import { summaryBudget, summaryMessage } from './summary';
import { foldSystemTexts, renderSystemPrompt, type SystemPrompt } from './system-text';
import { flattenTurn, groupTurns } from './turns';

export interface ContextRequest {
  readonly messages: readonly BudgetMessage[];
  readonly prompt: SystemPrompt;
  /** Every tool that is bound to the call. */
  readonly tools: readonly BudgetTool[];
  readonly config: ContextConfig;
  /** The provider's tokens for one of ours, as learned; below 1 it counts as 1. */
  readonly correction?: number;
  /** Part of the input budget to use, 0.8 after the provider refused a request as too long. */
  readonly budgetFactor?: number;
  /** `summarize` keeps a tenth of the budget for a summary of what is left out. */
  readonly overflow?: 'trim' | 'summarize';
  /** The summary, once there is one. */
  readonly summary?: string;
}

/** Fits a request into its budget. Throws TokenCountError only. The messages that are given are never changed. */
export function prepareContext(request: ContextRequest, counter: MessageCounter): ContextOutcome {
  return runNow(prepareSteps(request, counter));
}

/** The same, giving the event loop back every few milliseconds. */
export function prepareContextAsync(
  request: ContextRequest,
  counter: MessageCounter,
  yieldNow: () => Promise<void>,
): Promise<ContextOutcome> {
  return runYielding(prepareSteps(request, counter), yieldNow);
}

function* prepareSteps(request: ContextRequest, counter: MessageCounter): Steps<ContextOutcome> {
  const frame = yield* measureFrame(request, counter);
  try {
    return yield* trim(request, frame, counter);
  } catch (error) {
    if (error instanceof TokenCountError) throw error;
    const history = fallbackHistory(frame.given, frame.budget - frame.system - frame.tools);
    const prepared = yield* finish(request, frame, counter, { history, dropped: [], before: frame.system });
    return { ...prepared, fallbackCause: error };
  }
}

/** All that does not depend on what is kept of the history. */
interface Frame {
  readonly systemText: string;
  readonly given: readonly HistoryMessage[];
  readonly system: number;
  readonly topology: number;
  readonly tools: number;
  readonly measuredTools: readonly { readonly tool: BudgetTool; readonly tokens: number }[];
  readonly correction: number;
  /** Input budget in our own tokens: cut after an overflow, divided by the learned ratio. */
  readonly budget: number;
}

function* measureFrame(request: ContextRequest, counter: MessageCounter): Steps<Frame> {
  const prompt = renderSystemPrompt(request.prompt);
  const { text, history } = foldSystemTexts(prompt.text, request.messages);
  const measuredTools: { tool: BudgetTool; tokens: number }[] = [];
  for (const tool of request.tools) measuredTools.push({ tool, tokens: yield* counter.toolSteps(tool) });
  const system = yield* counter.systemSteps(text);
  const topology = prompt.topology === '' ? 0 : yield* counter.fixedTextSteps(prompt.topology);
  const correction = Math.max(1, request.correction ?? 1);
  return {
    systemText: text,
    given: history,
    system,
    topology: Math.min(topology, system),
    tools: measuredTools.reduce((total, { tokens }) => total + tokens, 0),
    measuredTools,
    correction,
    budget: Math.floor((inputBudget(request.config) * (request.budgetFactor ?? 1)) / correction),
  };
}

function* trim(request: ContextRequest, frame: Frame, counter: MessageCounter): Steps<ContextOutcome> {
  const repaired = repairHistory(frame.given);
  const before = frame.system + (yield* counter.messagesSteps(repaired));
  const joined = joinUsers(repaired);
  const joinedTokens = joined === repaired ? before : frame.system + (yield* counter.messagesSteps(joined));
  const messageBudget = frame.budget - frame.tools;
  if (joinedTokens <= messageBudget) {
    const historyTokens = joinedTokens - frame.system;
    return yield* finish(request, frame, counter, { history: joined, historyTokens, dropped: [], before });
  }

  const turns = groupTurns(repaired);
  const current = turns.at(-1);
  const userTokens = current ? yield* counter.messageSteps(current.user) : 0;
  const minimum = {
    systemTokens: frame.system,
    toolTokens: frame.tools,
    userTokens,
    correction: frame.correction,
  };
  const error = tooLarge(request.config, minimum);
  if (error) return { ok: false, error };
  const reserved = request.overflow === 'summarize' ? summaryBudget(frame.budget) : 0;
  const room = messageBudget - frame.system - userTokens;
  if (room < 0) {
    const history: HistoryMessage[] = current ? [current.user] : [];
    const dropped = repaired.filter((message) => message !== current?.user);
    const warning = overBudget(request.config, minimum, frame.budget, frame.measuredTools);
    return yield* finish(request, frame, counter, { history, dropped, before, warning });
  }
  const fitted = yield* fitHistory(turns, room - reserved, {
    counter,
    oversized: oversizedTokens(messageBudget),
    readerIsBound: bindsReader(request.tools),
  });
  const kept = fitted.turns.flatMap(flattenTurn);
  const shortened = countShortened(kept, repaired);
  const withSummary =
    request.summary && reserved > 0 && reserved <= room && fitted.dropped.length > 0
      ? [yield* summaryMessage(request.summary, reserved, counter), ...kept]
      : kept;
  const { dropped } = fitted;
  const history = joinUsers(withSummary);
  return yield* finish(request, frame, counter, {
    history,
    ...(history === kept ? { historyTokens: userTokens + fitted.tokens } : {}),
    dropped,
    before,
    shortened,
  });
}

interface Kept {
  readonly history: readonly HistoryMessage[];
  /** Its tokens, where they are known already. */
  readonly historyTokens?: number;
  readonly dropped: readonly HistoryMessage[];
  /** Tokens of system and history before trimming. */
  readonly before: number;
  readonly shortened?: number;
  readonly warning?: ContextWarning;
}

function* finish(
  request: ContextRequest,
  frame: Frame,
  counter: MessageCounter,
  kept: Kept,
): Steps<PreparedContext> {
  const history = kept.historyTokens ?? (yield* counter.messagesSteps(kept.history));
  const { config } = request;
  const report: ContextReport = {
    model: config.model,
    strategy: config.strategy,
    system: frame.system,
    base: frame.system - frame.topology,
    topology: frame.topology,
    history,
    tools: frame.tools,
    total: frame.system + history + frame.tools,
    toolCount: request.tools.length,
    limit: config.contextLimitK * TOKENS_PER_K,
    limitK: config.contextLimitK,
    outputReserve: outputReserve(config),
    messageTokensBefore: kept.before,
    messagesBefore: frame.given.length,
    messagesAfter: kept.history.length,
    shortenedResults: kept.shortened ?? 0,
    correction: request.correction ?? 1,
  };
  return {
    ok: true,
    messages: [{ role: 'system', content: frame.systemText }, ...kept.history],
    history: kept.history,
    dropped: kept.dropped,
    report,
    budget: frame.budget,
    warnings: kept.warning ? [kept.warning] : [],
  };
}

function countShortened(kept: readonly HistoryMessage[], original: readonly HistoryMessage[]): number {
  const unchanged = new Set(original);
  return kept.filter((message) => message.role === 'tool' && !unchanged.has(message)).length;
}
