import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

export interface AttemptRules {
  /** Further attempts after the first. */
  readonly retries: number;
  /** Before the first further attempt; doubled for each. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

/** How the last attempt ended, and how many there were beyond the first. */
export type Attempted = { readonly retries: number } & (
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }
);

/** Runs a call, again while it fails and attempts are left. Only for calls that change nothing. */
export async function withRetries(
  run: () => Promise<unknown>,
  { retries: most, pauseMs, signal }: AttemptRules,
): Promise<Attempted> {
  for (let retries = 0; ; retries += 1) {
    const attempt = await settled(run);
    const failed = !attempt.ok || nothingWorked.safeParse(attempt.value).success;
    if (!failed || retries >= most || signal.aborted) return { ...attempt, retries };
    // An abort ends the pause early; the attempt that failed is then the last.
    await pause(pauseMs * 2 ** retries, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { ...attempt, retries };
  }
}

async function settled(run: () => Promise<unknown>) {
  try {
    return { ok: true, value: await run() } as const;
  } catch (error) {
    return { ok: false, error } as const;
  }
}

/** A device tool reports its failures as results; as long as one device answered, it has worked. */
const nothingWorked = z.array(z.looseObject({ status: z.literal('failed') })).min(1);
