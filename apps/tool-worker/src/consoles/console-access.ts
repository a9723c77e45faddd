import type { ConsoleLocks, LockRequest } from './console-locks';
import { ConsoleSession, type SessionOptions } from './console-session';
import { CONSOLE_TIMINGS, type ConsoleTimings } from './timings';

export type ConsoleTarget = Pick<SessionOptions, 'address' | 'driver' | 'login'> & {
  /** Names the console wherever it is used from: the node's id. */
  key: string;
};

/** The way to a device: waits for its console, talks to it, and leaves it as a person would. */
export class ConsoleAccess {
  readonly #timings: ConsoleTimings;

  constructor(
    private readonly locks: ConsoleLocks,
    timings: Partial<ConsoleTimings> = {},
  ) {
    this.#timings = { ...CONSOLE_TIMINGS, ...timings };
  }

  withSession<T>(
    { key, ...target }: ConsoleTarget,
    request: LockRequest,
    work: (session: ConsoleSession, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.locks.withLock(key, request, async (signal) => {
      const session = await ConsoleSession.open({ ...target, timings: this.#timings, signal });
      try {
        return await work(session, signal);
      } finally {
        await session.close();
      }
    });
  }
}
