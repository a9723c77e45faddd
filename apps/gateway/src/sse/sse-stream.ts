import { HEARTBEAT_MS } from '@copilot/contracts';
import type { Response } from 'express';

/** Injection token of the stream times. */
export const SSE_TIMES = Symbol('SSE_TIMES');

/** Times of a stream, in milliseconds; injected so that a test need not wait for them. */
export interface SseTimes {
  readonly heartbeatMs: number;
  /** A reader that takes nothing for this long is cut off; it can resume from its last id. */
  readonly stallMs: number;
}

export const DEFAULT_SSE_TIMES: SseTimes = { heartbeatMs: HEARTBEAT_MS, stallMs: 30_000 };

/**
 * One server-sent event stream. `send` waits while the client does not read, so a slow reader costs no more
 * memory than its socket buffer and the event at hand.
 */
export class SseStream {
  private readonly ended = new AbortController();
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: Response,
    private readonly times: SseTimes,
  ) {
    response.once('close', () => this.ended.abort());
    response.on('error', () => this.ended.abort());
    // The client may have left while the request was being judged.
    if (response.closed || response.destroyed || response.socket?.destroyed !== false) this.ended.abort();
  }

  /** Aborts when the client is gone or the stream has been ended. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /** Sends the headers and a comment at once, so that the client and proxies see the stream as open. */
  open(): void {
    if (this.signal.aborted) return;
    this.response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    });
    this.response.write(': open\n\n');
    // A comment and not an event: an event would move the client's Last-Event-ID.
    this.heartbeat = setInterval(() => {
      if (!this.response.writableNeedDrain) this.response.write(': keep-alive\n\n');
    }, this.times.heartbeatMs);
    this.signal.addEventListener('abort', () => clearInterval(this.heartbeat));
  }

  /** Resolves when the client can take more, at the latest when the stream has ended. */
  async send(event: string): Promise<void> {
    if (this.signal.aborted || this.response.write(event)) return;
    if (await this.drained()) return;
    // What is buffered would never leave; an orderly end would wait behind it for ever.
    this.response.destroy();
    this.ended.abort();
  }

  /** Ends the stream in order; what was sent still arrives. One that was never open is cut, not empty. */
  end(): void {
    if (!this.signal.aborted) {
      if (this.response.headersSent) this.response.end();
      else this.response.destroy();
    }
    this.ended.abort();
  }

  /** False if the client took nothing for `stallMs`. */
  private drained(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (drained: boolean) => {
        clearTimeout(timer);
        this.response.off('drain', onDrain);
        this.signal.removeEventListener('abort', onDrain);
        resolve(drained);
      };
      const onDrain = () => settle(true);
      const timer = setTimeout(() => settle(false), this.times.stallMs);
      this.response.once('drain', onDrain);
      this.signal.addEventListener('abort', onDrain);
    });
  }
}
