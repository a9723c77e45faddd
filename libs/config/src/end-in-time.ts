/** After a drain, for handing back what is left and closing the stores. */
export const CLOSING_SECONDS = 10;

/**
 * Ends this process by the signal that told it to end, without regard to what is under way: when it is told a second
 * time, since whoever asks twice does not want to wait for the drain, and when it has not ended `limitSeconds` after
 * the first time, since a connection that hangs may hold up an orderly end for ever. For the runs that is a kill,
 * which they survive. To be called once the first signal has its handler: until then the signal's own effect is the
 * right one.
 */
export function endInTime(limitSeconds: number, onOverdue: () => void): void {
  let told = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (told) return endBy(signal);
      told = true;
      const overdue = () => {
        onOverdue();
        endBy(signal);
      };
      setTimeout(overdue, limitSeconds * 1_000).unref();
    });
  }
}

/** With no handler left the kernel ends the process. */
function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
