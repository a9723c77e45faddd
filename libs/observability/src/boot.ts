import type { Logger } from './logger';

/**
 * Starts a process or ends it: what goes wrong before it is ready is told in one plain line, since it is
 * for the operator who started it, and the exit code is 1.
 */
export async function boot(log: Logger, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.fatal({ err: error }, `cannot start: ${message}`);
    log.flush(() => process.exit(1));
    setTimeout(() => process.exit(1), 500).unref();
  }
}
