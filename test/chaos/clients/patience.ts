import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** What clients share: where to, how often again, and when it is over. */
export interface Patience {
  /** Aborted when nobody waits any longer. */
  readonly over: AbortSignal;
  /** Any of the gateways, chosen anew each time. */
  readonly gateway: () => number;
}

export const pauseBetween = async (patience: Patience, ms: number): Promise<void> => {
  await sleep(ms, undefined, { signal: patience.over }).catch(() => undefined);
};

const AGAIN_MS = 300;
/** A gateway stands still for up to 12 s; a client waits for longer before it tries another. */
const REQUEST_MS = 20_000;

/**
 * Sends a request until it has an answer other than 503, whose text asks for a repetition (docs/operating.md, "When
 * something is away"); undefined when it is over before.
 */
export async function persistently(
  patience: Patience,
  urlAt: (gateway: number) => string,
  init: RequestInit,
): Promise<Answer | undefined> {
  while (!patience.over.aborted) {
    try {
      const signal = AbortSignal.any([patience.over, AbortSignal.timeout(REQUEST_MS)]);
      const response = await fetch(urlAt(patience.gateway()), { ...init, signal });
      const body = (await response.json()) as Record<string, unknown>;
      if (response.status !== 503) return { status: response.status, body };
    } catch {
      // The connection went with its gateway.
    }
    await pauseBetween(patience, AGAIN_MS);
  }
  return undefined;
}
