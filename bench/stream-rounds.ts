import { setTimeout as sleep } from 'node:timers/promises';
import type { Chat, Contender, CpuByPart, Timing } from './stream-workload';

export interface Sample {
  readonly timings: readonly Timing[];
  /** Mean of a chat, by part. */
  readonly cpuMs: CpuByPart;
}

export interface Sustained extends Sample {
  readonly runsPerSecond: number;
}

/** All chats at once. */
export async function round(contender: Contender, chats: readonly Chat[]): Promise<Sample> {
  const before = await contender.cpuMs();
  const timings = await Promise.all(chats.map((chat) => contender.chat(chat)));
  return { timings, cpuMs: perChat(before, await contender.cpuMs(), chats.length) };
}

/**
 * `lanes` clients, each of which sends its next chat when the last one has ended. Counted are the chats that
 * end within the window; before it the lanes get out of step.
 */
export async function sustained(
  contender: Contender,
  lanes: number,
  next: (lane: number) => Chat,
  { warmUpMs, windowMs }: { readonly warmUpMs: number; readonly windowMs: number },
): Promise<Sustained> {
  let phase: 'warm-up' | 'window' | 'over' = 'warm-up';
  const timings: Timing[] = [];
  const clients = Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (phase !== 'over') {
        const timing = await contender.chat(next(lane));
        if (phase === 'window') timings.push(timing);
      }
    }),
  );
  const measured = (async () => {
    await sleep(warmUpMs);
    const before = await contender.cpuMs();
    const begun = performance.now();
    phase = 'window';
    contender.toggleProfile?.();
    await sleep(windowMs);
    contender.toggleProfile?.();
    phase = 'over';
    const seconds = (performance.now() - begun) / 1_000;
    return { seconds, cpuMs: perChat(before, await contender.cpuMs(), timings.length) };
  })();
  const [{ seconds, cpuMs }] = await Promise.all([measured, clients]);
  return { timings, cpuMs, runsPerSecond: timings.length / seconds };
}

function perChat(before: CpuByPart, after: CpuByPart, chats: number): CpuByPart {
  return Object.fromEntries(
    Object.entries(after).map(([part, ms]) => [part, (ms - (before[part] ?? NaN)) / chats]),
  );
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((first, second) => first - second);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? NaN;
}

/** What one contender takes more than the other: the fastest chat against the fastest, and so on. */
export function differences(ours: readonly number[], theirs: readonly number[]): number[] {
  const sorted = [ours, theirs].map((values) => values.toSorted((first, second) => first - second));
  return (sorted[0] ?? []).map((value, rank) => value - (sorted[1]?.[rank] ?? NaN));
}
