import { callFingerprint, resultFingerprint } from './fingerprint';
import type { LimitCause } from './texts';

/** A call with its result, as the model gets it. */
export interface CallOutcome {
  readonly name: string;
  readonly args: unknown;
  readonly result: string;
}

/** A call that the newest turn made, and how many turns running it has given this result. */
export interface Repeat {
  readonly call: string;
  readonly result: string;
  readonly times: number;
}

/** The model is told so in this result... */
const TOLD_AT = 3;
/** ...and has no further tools after this one. */
const CLOSING_AT = 4;

export interface Repeats {
  readonly repeats: readonly Repeat[];
  /** The results for the model, in order. */
  readonly results: readonly string[];
  /** The next model call is the closing one. */
  readonly closing: LimitCause | null;
}

/**
 * Follows calls that are made again turn by turn. Within a turn the same call counts once: the model sees
 * its results only afterwards.
 */
export function followRepeats(before: readonly Repeat[], turn: readonly CallOutcome[]): Repeats {
  const now = new Map<string, Repeat>();
  const calls = turn.map(({ name, args }) => callFingerprint(name, args));
  turn.forEach(({ result: text }, index) => {
    const call = calls[index] ?? '';
    const result = resultFingerprint(text);
    const inTurn = now.get(call);
    if (inTurn?.result === result) return;
    const last = inTurn ? undefined : before.find((repeat) => repeat.call === call);
    now.set(call, { call, result, times: last?.result === result ? last.times + 1 : 1 });
  });
  const timesOf = (index: number) => now.get(calls[index] ?? '')?.times ?? 0;
  const repeated = turn.find((_, index) => timesOf(index) >= CLOSING_AT);
  return {
    repeats: [...now.values()],
    results: turn.map(({ result }, index) => (timesOf(index) === TOLD_AT ? `${result}${TOLD}` : result)),
    closing: repeated ? { limit: 'repeated_tool_call', tool: repeated.name, max: TOLD_AT } : null,
  };
}

const TOLD = `\n\n[This call has given the same result ${TOLD_AT} times running. Do not make it again: change the arguments, use another tool, or answer from what you have.]`;
