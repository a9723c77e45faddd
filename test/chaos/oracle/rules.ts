import { acceptedOnce } from './accepted-once';
import { commandsOnce } from './commands-once';
import { endedOnce } from './ended-once';
import type { Evidence, Rule } from './evidence';
import { historiesValid } from './histories-valid';
import { nothingLeft } from './nothing-left';
import { sessionsInOrder } from './sessions-in-order';
import { textWhole } from './text-whole';
import { viewersComplete } from './viewers-complete';

/** What must be true once everything is over, whatever was killed, stopped, cut and restarted. */
export const RULES: readonly Rule[] = [
  acceptedOnce,
  endedOnce,
  commandsOnce,
  viewersComplete,
  textWhole,
  historiesValid,
  sessionsInOrder,
  nothingLeft,
];

export interface Verdict {
  readonly rule: string;
  readonly breaches: readonly string[];
}

export function judge(evidence: Evidence): Verdict[] {
  return RULES.map(({ name, breaches }) => ({ rule: name, breaches: breaches(evidence) }));
}
