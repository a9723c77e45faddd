import { ADJUSTABLE_LIMITS, type AdjustableLimit } from '@copilot/contracts';
import { z } from 'zod';
import { covers, usedOf, type CallBudget, type CallCounts } from './budgets';
import type { EffectiveLimits } from './effective';
import { callFingerprint } from './fingerprint';
import type { Repeat } from './repeats';
import { LIMIT_RANGES, type RequestedLimits } from './request';

/** Limits that the service chose itself, at their present values. */
export type ChosenLimits = Readonly<Partial<Record<AdjustableLimit, number>>>;

/** What the `limits_adjusted` event says; null = no limit. */
export interface Adjustment {
  readonly limit: AdjustableLimit;
  readonly from: number | null;
  readonly to: number | null;
  readonly reason: string;
}

export interface Adjusted {
  readonly chosen: ChosenLimits;
  readonly adjustments: readonly Adjustment[];
}

/** More than anybody needs, and still a number that can be reckoned with. */
const expected = z.number().min(0).max(10_000);

/** The planner's estimate of what a run needs. */
export const planSchema = z.object({
  iterations: expected,
  tool_calls: expected,
  device_config_calls: expected,
  diagnostic_calls: expected,
  reason: z.string().default(''),
});
export type Plan = z.output<typeof planSchema>;

const FIELD_OF_PLAN = {
  max_iterations: 'iterations',
  max_tool_calls: 'tool_calls',
  max_device_config_calls: 'device_config_calls',
  max_diagnostic_calls: 'diagnostic_calls',
} as const satisfies Record<AdjustableLimit, keyof Plan>;

const WORDS = {
  max_iterations: 'model calls',
  max_tool_calls: 'tool calls',
  max_device_config_calls: 'device config calls',
  max_diagnostic_calls: 'diagnostic calls',
} as const satisfies Record<AdjustableLimit, string>;

const HEADROOM = 1.5;
const LEAST_ITERATIONS = 5;
const RAISED_AT = 0.8;
const RAISE = 1.5;
const MAX_REASON_CHARS = 200;

/** The plan in what a model has written, which may have put words or a code fence around the JSON. */
export function readPlan(text: string): Plan | undefined {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  try {
    const parsed = planSchema.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** The limits that a caller has left to the service. */
export function limitsToChoose(requested: RequestedLimits): AdjustableLimit[] {
  return ADJUSTABLE_LIMITS.filter((limit) => requested[limit] === undefined);
}

/** One and a half times what is planned, at least five model calls, never above the ceilings. */
export function chooseLimits(
  plan: Plan,
  limits: EffectiveLimits,
  open: readonly AdjustableLimit[],
): Adjusted {
  const adjustments = open.map((limit): Adjustment => {
    const planned = plan[FIELD_OF_PLAN[limit]];
    const { min, max } = LIMIT_RANGES[limit];
    const least = limit === 'max_iterations' ? LEAST_ITERATIONS : min;
    const to = Math.min(max, Math.max(least, Math.ceil(planned * HEADROOM)));
    return { limit, from: limits[limit], to, reason: plannedReason(limit, planned, plan.reason) };
  });
  return {
    chosen: Object.fromEntries(adjustments.map(({ limit, to }) => [limit, to])),
    adjustments: adjustments.filter(({ from, to }) => from !== to),
  };
}

/** No plan: the limits stay as they are, and the viewers are told why. */
export function keepLimits(
  limits: EffectiveLimits,
  [first]: readonly AdjustableLimit[],
  why: string,
): Adjusted {
  if (!first) return { chosen: {}, adjustments: [] };
  const reason = `The limits could not be planned (${why}); the defaults hold.`;
  return { chosen: {}, adjustments: [{ limit: first, from: limits[first], to: limits[first], reason }] };
}

/** A turn as the model asked for it; calls with a refusal are not going to run. */
export interface AskedTurn {
  readonly iterations: number;
  readonly counts: CallCounts;
  readonly calls: readonly { readonly name: string; readonly args: unknown; readonly refusal?: string }[];
  /** The calls of the turn before. */
  readonly before: readonly Repeat[];
}

/** Raises by half what the service chose itself and is used to four fifths, as long as calls are new. */
export function raiseLimits(chosen: ChosenLimits, turn: AskedTurn): Adjusted {
  const executable = turn.calls.filter(({ refusal }) => refusal === undefined);
  const known = new Set(turn.before.map(({ call }) => call));
  if (!executable.some(({ name, args }) => !known.has(callFingerprint(name, args)))) {
    return { chosen, adjustments: [] };
  }
  const adjustments = ADJUSTABLE_LIMITS.flatMap((limit): Adjustment[] => {
    const from = chosen[limit];
    if (from === undefined) return [];
    const used = usedWith(limit, from, turn, executable);
    const to = Math.min(LIMIT_RANGES[limit].max, Math.ceil(from * RAISE));
    if (used < from * RAISED_AT || to <= from) return [];
    const reason = `${used} of the ${from} ${WORDS[limit]} that the service allowed are used or asked for, and the calls are still new.`;
    return [{ limit, from, to, reason }];
  });
  const raised = Object.fromEntries(adjustments.map(({ limit, to }) => [limit, to]));
  return { chosen: { ...chosen, ...raised }, adjustments };
}

/** What holds with adjustments that the run's row does not have yet; of a limit that was changed since, nothing. */
export function withAdjustments(
  limits: EffectiveLimits,
  adjustments: readonly Adjustment[],
): EffectiveLimits {
  const due = adjustments.filter(({ limit, from }) => limits[limit] === from);
  return { ...limits, ...Object.fromEntries(due.map(({ limit, to }) => [limit, to])) };
}

/** Without the limits that somebody has changed since: those are the service's to raise no more. */
export function stillChosen(chosen: ChosenLimits, limits: EffectiveLimits): ChosenLimits {
  const own = ADJUSTABLE_LIMITS.filter(
    (limit) => chosen[limit] !== undefined && chosen[limit] === limits[limit],
  );
  return Object.fromEntries(own.map((limit) => [limit, chosen[limit]]));
}

function usedWith(
  limit: AdjustableLimit,
  max: number,
  { iterations, counts }: AskedTurn,
  executable: AskedTurn['calls'],
): number {
  if (limit === 'max_iterations') return iterations;
  const budget: CallBudget = { limit, max, bound: max };
  return usedOf(budget, counts) + executable.filter(({ name }) => covers(budget, name)).length;
}

function plannedReason(limit: AdjustableLimit, planned: number, why: string): string {
  const said = why.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON_CHARS).toWellFormed();
  return `The plan expects ${planned} ${WORDS[limit]}${said === '' ? '' : `: ${said}`}`;
}
