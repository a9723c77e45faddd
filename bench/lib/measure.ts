/** How often a thing is measured. Bounded in time too: a slow one is measured fewer times, but at least once. */
export interface MeasureOptions {
  readonly warmUps: number;
  readonly repetitions: number;
  /** No further repetition begins after this. */
  readonly maxMs: number;
}

export const DEFAULT_OPTIONS: MeasureOptions = { warmUps: 1, repetitions: 5, maxMs: 4_000 };

export interface Measurement {
  readonly medianMs: number;
  readonly minMs: number;
  /** Processor time of the process, which other programs on the machine lengthen less than wall time. */
  readonly medianCpuMs: number;
  readonly repetitions: number;
}

/** Wall and processor time of `work`. `fresh` makes what it works on anew, outside of the time. */
export async function measure<T>(
  work: (input: T) => unknown,
  fresh: () => T,
  options: MeasureOptions = DEFAULT_OPTIONS,
): Promise<Measurement> {
  const begun = performance.now();
  const times: number[] = [];
  const cpuTimes: number[] = [];
  for (let round = 0; round < options.warmUps + options.repetitions; round++) {
    const input = fresh();
    const cpuBefore = process.cpuUsage();
    const started = performance.now();
    await work(input);
    const ended = performance.now();
    const cpu = process.cpuUsage(cpuBefore);
    if (round >= options.warmUps || ended - begun > options.maxMs) {
      times.push(ended - started);
      cpuTimes.push((cpu.user + cpu.system) / 1_000);
    }
    if (times.length > 0 && ended - begun > options.maxMs) break;
  }
  return {
    medianMs: median(times),
    minMs: Math.min(...times),
    medianCpuMs: median(cpuTimes),
    repetitions: times.length,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((first, second) => first - second);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/**
 * Longest time that `work` keeps the event loop from turning. The loop turns with every `setImmediate`; the
 * gaps between two turns are the blocks. The least of several runs, since other programs can only lengthen it.
 */
export async function longestBlockMs(work: () => Promise<unknown>, runs = 3): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < runs; run++) least = Math.min(least, await longestGapMs(work));
  return least;
}

async function longestGapMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let running = true;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(look);
  };
  setImmediate(look);
  await work();
  running = false;
  return Math.max(longest, performance.now() - last);
}
