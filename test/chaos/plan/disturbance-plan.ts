import { Seeded } from '../../support/seeded';

/** What of the service may be disturbed; `--parts` names some of them. */
export const DISTURBED_PARTS = ['kills', 'stops', 'links', 'redis', 'postgres'] as const;
export type DisturbedPart = (typeof DISTURBED_PARTS)[number];

export type Store = 'redis' | 'postgres';

/** `process` is the process's place in the world's list. */
export type Disturbance = { readonly atMs: number } & (
  | { readonly kind: 'kill' | 'terminate'; readonly process: number }
  | { readonly kind: 'freeze'; readonly process: number; readonly forMs: number }
  | { readonly kind: 'cut'; readonly process: number; readonly store: Store; readonly forMs: number }
  | { readonly kind: 'restart-redis'; readonly signal: 'SIGTERM' | 'SIGKILL'; readonly downMs: number }
  /** Ends the server; whoever watches over it starts it again. */
  | { readonly kind: 'restart-postgres'; readonly mode: 'fast' | 'immediate' }
);

interface Extent {
  readonly seed: number;
  readonly durationMs: number;
  readonly processes: number;
  readonly parts: readonly DisturbedPart[];
}

/** Postgres's supervisor gives up after five deaths within a minute. */
const BETWEEN_STORES_MS = 16_000;

/** How often each kind of thing happens, among the parts that may be disturbed. */
const WEIGHTS: Readonly<Record<DisturbedPart, number>> = {
  kills: 9,
  stops: 5,
  links: 5,
  redis: 3,
  postgres: 2,
};

/** What happens when, from the seed alone. Now and then several things happen at once. */
export function disturbancePlan({ seed, durationMs, processes, parts }: Extent): Disturbance[] {
  const random = new Seeded(seed * 15_485_863 + 2);
  const draw = parts.flatMap((part) => Array.from({ length: WEIGHTS[part] }, () => part));
  const plan: Disturbance[] = [];
  let storeAt = -BETWEEN_STORES_MS;
  for (let atMs = random.between(1_500, 4_000); atMs < durationMs; atMs += random.between(2_500, 7_000)) {
    const many = random.below(6) === 0 ? random.between(2, 4) : 1;
    for (let n = 0; n < many; n += 1) {
      const part = draw[random.below(Math.max(1, draw.length))];
      if (part === undefined) return [];
      const isStore = part === 'redis' || part === 'postgres';
      if (isStore && atMs - storeAt < BETWEEN_STORES_MS) continue;
      if (isStore) storeAt = atMs;
      plan.push({ atMs, ...one(random, part, processes) });
    }
  }
  return plan;
}

type Untimed<T> = T extends unknown ? Omit<T, 'atMs'> : never;

function one(random: Seeded, part: DisturbedPart, processes: number): Untimed<Disturbance> {
  const process = random.below(processes);
  switch (part) {
    case 'kills':
      return { kind: random.below(3) === 0 ? 'terminate' : 'kill', process };
    case 'stops':
      return { kind: 'freeze', process, forMs: random.between(1_000, 12_000) };
    case 'links':
      return {
        kind: 'cut',
        process,
        store: random.oneOf(['redis', 'postgres']),
        forMs: random.below(3) === 0 ? 0 : random.below(6_000),
      };
    case 'redis':
      return {
        kind: 'restart-redis',
        signal: random.oneOf(['SIGTERM', 'SIGKILL']),
        downMs: random.below(5_000),
      };
    case 'postgres':
      return { kind: 'restart-postgres', mode: random.oneOf(['fast', 'immediate']) };
  }
}

/** For people who read the progress. */
export function inWords(disturbance: Disturbance, nameOf: (process: number) => string): string {
  switch (disturbance.kind) {
    case 'kill':
    case 'terminate':
      return `${disturbance.kind} ${nameOf(disturbance.process)}`;
    case 'freeze':
      return `freeze ${nameOf(disturbance.process)} for ${disturbance.forMs} ms`;
    case 'cut':
      return `cut ${nameOf(disturbance.process)} from ${disturbance.store} for ${disturbance.forMs} ms`;
    case 'restart-redis':
      return `restart redis by ${disturbance.signal}, down for ${disturbance.downMs} ms`;
    case 'restart-postgres':
      return `restart postgres (${disturbance.mode})`;
  }
}
