import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves as soon as `condition` holds; for states that no event tells of. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not so within ${timeoutMs} ms: ${String(condition)}`);
    await sleep(5);
  }
}
