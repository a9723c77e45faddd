/**
 * Work that can be done in one go or in small pieces. Each `yield` closes a stretch of bounded work (a few
 * milliseconds), so a caller that pauses there never blocks the event loop long enough to lose a queue lock.
 */
export type Steps<T> = Generator<void, T, void>;

/** Characters counted in one stretch, about 5 ms on a slow core. */
export const STRETCH_CHARS = 32_768;

/** Runs the work in one go. */
export function runNow<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Runs the work, handing the event loop back (`yieldNow`) between its stretches. */
export async function runYielding<T>(steps: Steps<T>, yieldNow: () => Promise<void>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    await yieldNow();
    step = steps.next();
  }
  return step.value;
}
