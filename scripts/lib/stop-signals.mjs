const SAME_SIGNAL_WITHIN_MS = 1_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * A terminal's Ctrl-C reaches this process twice (from the terminal and through npm), and so may a SIGTERM to
 * the whole group: equal signals within a second are one. `onSignal(signal, count)` gets each real one.
 */
export function deduplicate(onSignal, now = Date.now) {
  const lastMs = new Map();
  let count = 0;
  return (signal) => {
    const sinceMs = now() - (lastMs.get(signal) ?? -Infinity);
    lastMs.set(signal, now());
    if (sinceMs < SAME_SIGNAL_WITHIN_MS) return;
    count += 1;
    onSignal(signal, count);
  };
}

/** From here on the process ends by its own decision only. */
export function onStopSignals(onSignal) {
  const handle = deduplicate(onSignal);
  for (const signal of STOP_SIGNALS) process.on(signal, handle);
  // The reader of our output is gone (`npm start | head`, a closed terminal): a wish to stop as well, but only
  // one, however many lines still fail.
  let unread = false;
  const onUnread = () => {
    if (!unread) handle('SIGHUP');
    unread = true;
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onUnread);
}
