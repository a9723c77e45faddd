import type { ConsoleLocks, LockRequest } from '../console-locks';

/** Console locks within one process, for tests of what happens around them. */
export class MemoryConsoleLocks implements ConsoleLocks {
  readonly #lines = new Map<string, Promise<void>[]>();

  async withLock<T>(
    consoleKey: string,
    { signal, onWaiting }: LockRequest,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const before = this.#lines.get(consoleKey) ?? [];
    if (before.length > 0) onWaiting(before.length);
    const running = Promise.all(before).then(() => {
      signal.throwIfAborted();
      return work(signal);
    });
    const done = running.then(
      () => undefined,
      () => undefined,
    );
    this.#lines.set(consoleKey, [...before, done]);
    try {
      return await running;
    } finally {
      const line = this.#lines.get(consoleKey) ?? [];
      this.#lines.set(
        consoleKey,
        line.filter((other) => other !== done),
      );
    }
  }
}
