import type { Usage } from '@copilot/contracts';
import { callBudgets } from './budgets';
import { toAmount, toMoney } from './cost';
import { iterationBound, type EffectiveLimits } from './effective';
import { deadlineMs } from './next-call';

/** The figures of the `limits` event. */
export function limitsFigures(limits: EffectiveLimits, usage: Usage, elapsedMs: number) {
  const bounds = callBudgets(limits).flatMap(({ limit, bound }) =>
    limit === 'max_tool_calls' ? [bound] : [],
  );
  return {
    iterations: spent(usage.llm_calls, iterationBound(limits)),
    tool_calls: spent(usage.tool_calls, bounds.length === 0 ? null : Math.min(...bounds)),
    by_tool: usage.by_tool,
    refused: usage.refused_tool_calls,
    retries: usage.tool_retries,
    elapsed_ms: Math.round(elapsedMs),
    deadline_ms: deadlineMs(limits),
    cost: usage.cost && costFigures(limits, usage.cost),
  };
}

function costFigures({ max_cost: max }: EffectiveLimits, { amount, currency }: NonNullable<Usage['cost']>) {
  const left = max === null ? null : toMoney(max) - toMoney(amount);
  const remaining = left === null ? null : toAmount(left > 0n ? left : 0n);
  return { used: amount, max, remaining, currency };
}

function spent(used: number, max: number | null) {
  return { used, max, remaining: max === null ? null : Math.max(0, max - used) };
}

/** The audit line of calls that were over a limit; its form is the design document's. */
export function exceededLine(current: number, requested: number, max: number): string {
  return `Tool call limit exceeded: current=${current}, requested=${requested}, max=${max}`;
}
