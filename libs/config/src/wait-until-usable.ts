/** A service that did not become usable in time; the message names it, the last reason and the remedy. */
export class ServiceUnusableError extends Error {
  override readonly name = 'ServiceUnusableError';
}

/** A fault that waiting does not mend, such as a wrong setting of the service. */
export class ServiceRefusedError extends Error {
  override readonly name = 'ServiceRefusedError';
}

const BETWEEN_TRIES_MS = 1_000;

/**
 * Tries `check` until it resolves, telling `onWaiting` why it waits. Gives up after `seconds`, or at once on
 * a ServiceRefusedError.
 */
export async function waitUntilUsable(
  service: string,
  check: () => Promise<void>,
  onWaiting: (message: string) => void,
  seconds = 30,
): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (error instanceof ServiceRefusedError) throw error;
      const reason = reasonOf(error);
      if (Date.now() >= deadline) {
        throw new ServiceUnusableError(
          `${service} was not usable within ${seconds} s: ${reason}. Start it, or correct the setting, and try again.`,
        );
      }
      onWaiting(`waiting for ${service}: ${reason}`);
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to several addresses comes as an error without a message.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error.message || error.name;
}
