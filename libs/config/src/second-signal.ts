/**
 * Ends this process at once when it is told to end a second time, by the signal itself: whoever asks twice does
 * not want to wait for the drain. For the runs that is a kill, which they survive. To be called once the first
 * signal has its handler, since until then the signal's own effect is the right one.
 */
export function endAtSecondSignal(signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']): void {
  let told = false;
  for (const signal of signals) {
    process.on(signal, () => {
      if (!told) {
        told = true;
        return;
      }
      // With no handler left the kernel ends the process.
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  }
}
