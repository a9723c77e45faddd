export interface LockRequest {
  /** Who holds the console, for people who look at it: never a secret. */
  owner: string;
  signal: AbortSignal;
  /** Told when others come first, and again whenever their number changes. */
  onWaiting: (ahead: number) => void;
}

/** One console, one user, across calls, runs and workers. */
export interface ConsoleLocks {
  /**
   * Runs `work` while holding the console. Its signal is aborted when the caller's is, or when the lock is
   * lost: then another may already be typing, and nothing more may be sent.
   */
  withLock<T>(
    consoleKey: string,
    request: LockRequest,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

/** The lock's lease ran out, because this process or Redis stood still for too long. */
export class ConsoleLockLostError extends Error {
  override readonly name = 'ConsoleLockLostError';

  constructor() {
    super('The hold on the console was lost; another call may be using it.');
  }
}
