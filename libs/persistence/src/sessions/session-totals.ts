import type { SessionBudgetName } from '@copilot/contracts';
import { exhaustedBudget, sessionRoom, TOTAL_OF, type SessionTotals } from '@copilot/limits';
import type { SessionRow } from '../schema';

/** Nothing is left of one of the session's budgets, so it takes no message. */
export class SessionBudgetError extends Error {
  override readonly name = 'SessionBudgetError';

  constructor(
    readonly sessionId: string,
    readonly budget: SessionBudgetName,
    used: number,
    max: number,
  ) {
    super(
      `Session '${sessionId}' has used up its budget ${budget}: ${used} of ${max}. Raise the budget, or go on in another session`,
    );
  }
}

/** What the session's ended runs have used. */
export function sessionTotals(session: SessionRow): SessionTotals {
  return {
    tool_calls: session.toolCallsCount,
    llm_calls: session.llmCallsCount,
    tokens: session.inputTokens + session.outputTokens,
    cost: session.cost,
  };
}

export function assertBudget(session: SessionRow): void {
  const totals = sessionTotals(session);
  const room = sessionRoom(session.budget, totals);
  const name = room && exhaustedBudget(room);
  if (!name) return;
  throw new SessionBudgetError(session.sessionId, name, totals[TOTAL_OF[name]], room.budget[name] ?? 0);
}
