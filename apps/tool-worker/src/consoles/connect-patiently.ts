import { ConsoleError } from './console-error';
import { TelnetTransport, type ConsoleAddress } from './telnet-transport';
import type { ConsoleTimings } from './timings';

interface ConnectOptions {
  address: ConsoleAddress;
  timings: ConsoleTimings;
  signal: AbortSignal;
}

/** Connects, and goes on trying for a while where the node refuses, as one that was just started does. */
export async function connectPatiently({
  address,
  timings,
  signal,
}: ConnectOptions): Promise<TelnetTransport> {
  const deadlineMs = Date.now() + timings.refusedRetryMs;
  for (;;) {
    try {
      return await TelnetTransport.connect(address, timings.connectMs, signal);
    } catch (error) {
      if (!(error instanceof ConsoleError) || error.code !== 'refused') throw error;
      if (Date.now() >= deadlineMs) {
        throw new ConsoleError(
          'refused',
          `The console refused the connection for ${timings.refusedRetryMs / 1000} s. The node may be stopped or still starting; check its status in GNS3 and try again.`,
        );
      }
    }
    await pause(Math.min(timings.wakeStepMs, 500), signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    const timer = setTimeout(settle, ms);
    signal.addEventListener('abort', settle, { once: true });
  });
}
