import type { ModelPrices, Usage } from '@copilot/contracts';
import { toAmount, toMoney } from './cost';
import { priceOfCall, type CallSize, type CostRoom } from './cost-limit';
import {
  TOTAL_OF,
  type BudgetSource,
  type SessionBudget,
  type SessionRoom,
  type SessionTotals,
} from './session-budget';

/** Where a run stands to the budgets that are known only call by call: tokens and cost. */
export interface SessionStanding {
  readonly room: CostRoom;
  readonly source: BudgetSource;
  readonly max: number;
  /** By the session, this run included. */
  readonly used: number;
  readonly currency?: string;
}

/** The tightest of tokens and cost before a model call of the expected size; nothing where neither is set. */
export function sessionStanding(
  { budget, before }: SessionRoom,
  usage: Usage,
  next: CallSize,
  prices: ModelPrices | null,
): SessionStanding | undefined {
  const tokens = standingTo('max_total_tokens', budget, before, {
    spent: usage.total_tokens,
    call: next.inputTokens + next.outputTokens,
  });
  const cost =
    prices &&
    standingTo('max_total_cost', budget, before, {
      spent: usage.cost?.amount ?? 0,
      call: toAmount(priceOfCall(next, prices)),
    });
  const all = [tokens, cost && { ...cost, currency: prices.currency }].flatMap((one) => (one ? [one] : []));
  return all.find(({ room }) => room === 'none') ?? all.find(({ room }) => room === 'one_call') ?? all[0];
}

function standingTo(
  name: 'max_total_tokens' | 'max_total_cost',
  budget: SessionBudget,
  totals: SessionTotals,
  { spent, call }: { readonly spent: number; readonly call: number },
): SessionStanding | undefined {
  const max = budget[name];
  if (max === null) return undefined;
  const before = totals[TOTAL_OF[name]];
  const used = toMoney(before) + toMoney(spent);
  const left = toMoney(max) - used;
  const size = toMoney(call);
  const room = left >= 2n * size && left > 0n ? 'ample' : left >= size && left > 0n ? 'one_call' : 'none';
  return { room, source: { name, before }, max, used: toAmount(used) };
}
