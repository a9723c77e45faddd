import type { Response } from 'express';

/** Aborts when the client is gone. */
export function closed(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.closed || response.socket?.destroyed !== false) gone.abort();
  return gone.signal;
}
