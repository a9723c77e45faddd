import { effectiveLimitsSchema, type EffectiveLimits } from './effective';
import { limitFields } from './request';

/** A limit before and after a change; null = no limit. */
export interface LimitChange {
  readonly from: unknown;
  readonly to: unknown;
}

export interface ChangedLimits {
  readonly effective: EffectiveLimits;
  /** Only what has become another value, by the limit's name. */
  readonly changes: Readonly<Record<string, LimitChange>>;
}

/**
 * The limits after a change while the run works. A field that is left out stays; a null gives the limit's
 * default back; `tool_limits` is replaced as a whole. Throws ZodError for a value out of range.
 */
export function changedLimits(
  before: EffectiveLimits,
  asked: object,
  { maxSeconds }: { readonly maxSeconds: number },
): ChangedLimits {
  const given = Object.entries(asked).filter(([name, value]) => name in limitFields && value !== undefined);
  const kept = Object.entries(before).filter(([name]) => !given.some(([changed]) => changed === name));
  const effective = effectiveLimitsSchema.parse({
    max_execution_time_seconds: maxSeconds,
    ...Object.fromEntries(kept),
    ...Object.fromEntries(given.filter(([, value]) => value !== null)),
  });
  const was: Record<string, unknown> = { ...before };
  const changes = Object.entries(effective).flatMap(([name, to]: [string, unknown]) =>
    JSON.stringify(was[name]) === JSON.stringify(to) ? [] : [[name, { from: was[name], to }] as const],
  );
  return { effective, changes: Object.fromEntries(changes) };
}
