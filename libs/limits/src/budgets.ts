import { isToolName, TOOL_CATALOGUE, type LimitName, type ToolCategory } from '@copilot/contracts';
import type { EffectiveLimits } from './effective';
import { LIMIT_RANGES } from './request';
import type { BudgetSource } from './session-budget';

/** The calls that were admitted so far. */
export interface CallCounts {
  readonly total: number;
  readonly byTool: Readonly<Record<string, number>>;
}

/** One bound on the number of calls. */
export interface CallBudget {
  readonly limit: Extract<
    LimitName,
    'max_tool_calls' | 'max_device_config_calls' | 'max_diagnostic_calls' | 'tool_limit'
  >;
  /** The tool, where the bound is one of `tool_limits`. */
  readonly tool?: string;
  /** What the caller set. */
  readonly max: number;
  /** Where the bound is the session's; `max` is its total then. */
  readonly session?: BudgetSource;
  /** Where calls are refused: `max`, or with `continue` the ceiling. */
  readonly bound: number;
}

/** Every budget that a run has; a call must pass all that cover it. */
export function callBudgets(limits: EffectiveLimits): CallBudget[] {
  const budget = (limit: CallBudget['limit'], max: number | null): CallBudget[] =>
    max === null ? [] : [{ limit, max, bound: boundOf(max, limits) }];
  return [
    ...budget('max_tool_calls', limits.max_tool_calls),
    ...budget('max_device_config_calls', limits.max_device_config_calls),
    ...budget('max_diagnostic_calls', limits.max_diagnostic_calls),
    ...Object.entries(limits.tool_limits).map(([tool, max]): CallBudget => ({
      limit: 'tool_limit',
      tool,
      max,
      bound: boundOf(max, limits),
    })),
    ...sessionCalls(limits),
  ];
}

/** A session's budget holds whatever a run does at its limits. */
function sessionCalls({ session }: EffectiveLimits): CallBudget[] {
  const max = session?.budget.max_total_tool_calls ?? null;
  if (!session || max === null) return [];
  const before = session.before.tool_calls;
  const source = { name: 'max_total_tool_calls', before } as const;
  return [{ limit: 'max_tool_calls', max, bound: Math.max(0, max - before), session: source }];
}

/** A tool that was switched off stays off whatever happens at limits. */
function boundOf(max: number, { on_limit_reached }: EffectiveLimits): number {
  return on_limit_reached === 'continue' && max > 0 ? LIMIT_RANGES.max_tool_calls.max : max;
}

export function covers({ limit, tool }: CallBudget, name: string): boolean {
  switch (limit) {
    case 'max_tool_calls':
      return true;
    case 'max_device_config_calls':
      return categoryOf(name) === 'config';
    case 'max_diagnostic_calls':
      return categoryOf(name) === 'diagnostic';
    case 'tool_limit':
      return tool === name;
  }
}

/** Calls that count against a budget. */
export function usedOf(budget: CallBudget, { total, byTool }: CallCounts): number {
  if (budget.limit === 'max_tool_calls') return total;
  return Object.entries(byTool).reduce((sum, [name, count]) => (covers(budget, name) ? sum + count : sum), 0);
}

export function counted({ total, byTool }: CallCounts, name: string): CallCounts {
  return { total: total + 1, byTool: { ...byTool, [name]: (byTool[name] ?? 0) + 1 } };
}

/** The tools that a run may not use at all. */
export function isSwitchedOff(name: string, { tool_limits }: EffectiveLimits): boolean {
  return isToolName(name) && tool_limits[name] === 0;
}

function categoryOf(name: string): ToolCategory | undefined {
  return isToolName(name) ? TOOL_CATALOGUE[name].category : undefined;
}
