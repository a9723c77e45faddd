import { startGuarded } from './child-process.mjs';

const GRACE_MS = 3_000;
const KEPT_LINES = 2_000;

const running = new Set();

/**
 * Runs a command that may take long to its end: `{ code, output }`, where code is not 0 for one that failed,
 * was killed or took longer than `timeoutMs`, and output has the last lines of both streams. The command ends
 * with the launcher, and the folders `remove` go with it then.
 */
export async function runGuarded({ name, timeoutMs, ...command }) {
  const lines = [];
  const handle = startGuarded({
    name,
    stopSignal: 'SIGTERM',
    graceMs: GRACE_MS,
    readyTimeoutMs: timeoutMs,
    onLine: (line) => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
    },
    ...command,
  });
  running.add(handle);
  const { code } = await handle.exited;
  running.delete(handle);
  return { code: code ?? 1, output: lines.join('\n').trim() };
}

/** Ends what `runGuarded` is running now, for a launcher that was told to stop: the callers see it fail. */
export const endRunningCommands = () => Promise.all([...running].map((handle) => handle.stop()));
