/**
 * Runs `work` with a signal that aborts with `signal`, or with a TimeoutError after `timeoutMs`. The timer is
 * held here: `AbortSignal.any` holds its sources weakly, so an `AbortSignal.timeout` that only such a
 * composite knows is collected, and never fires.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const forward = () => own.abort(signal.reason);
  const timer = setTimeout(
    () => own.abort(new DOMException(`not done within ${timeoutMs} ms`, 'TimeoutError')),
    timeoutMs,
  );
  if (signal.aborted) forward();
  else signal.addEventListener('abort', forward, { once: true });
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', forward);
  }
}
