import { ConsoleSession, type SessionOptions } from '../console-session';
import { ciscoIos } from '../drivers/cisco-ios';
import { FakeConsole, type FakeDevice } from './fake-console';
import { TEST_TIMINGS } from './timings';

export interface OpenedSession {
  console: FakeConsole;
  session: ConsoleSession;
}

type Options = Partial<Omit<SessionOptions, 'address'>>;

export function sessionOptions({ port }: { port: number }, options: Options = {}): SessionOptions {
  return {
    address: { host: '127.0.0.1', port },
    driver: ciscoIos,
    timings: TEST_TIMINGS,
    signal: new AbortController().signal,
    ...options,
  };
}

/** Runs a test with a session on a fake device, and takes both down whatever happens. */
export async function withSession(
  device: FakeDevice,
  options: Options,
  test: (opened: OpenedSession) => Promise<void>,
): Promise<void> {
  const console = await FakeConsole.start(device);
  try {
    const session = await ConsoleSession.open(sessionOptions(console, options));
    try {
      await test({ console, session });
    } finally {
      await session.close();
    }
  } finally {
    await console.stop();
  }
}
