import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { OpenStreams } from './open-streams';

/** How long a shutdown waits for answers that have not begun. */
const DRAIN_MS = 8_000;

/**
 * The orderly end of a gateway: no further request is taken on, each one under way gets its answer, of a stream
 * its first event, which names the run and is a cursor to resume from; then the streams are ended. A client
 * that was cut off any earlier could not tell whether its message was accepted.
 */
@Injectable()
export class RequestDrain implements BeforeApplicationShutdown {
  private readonly unanswered = new Set<Response>();
  private closing = false;
  private onAllAnswered = () => {};

  constructor(private readonly streams: OpenStreams) {}

  /** The first middleware of all. */
  readonly middleware = (_request: Request, response: Response, next: NextFunction): void => {
    if (this.closing) {
      response
        .status(503)
        .set({ connection: 'close', 'retry-after': '1' })
        .json({ message: 'This gateway is shutting down. Try again in a second.' });
      return;
    }
    this.unanswered.add(response);
    response.once('close', () => this.answered(response));
    next();
  };

  /** The client has all it needs to come back for the rest. */
  answered(response: Response): void {
    this.unanswered.delete(response);
    if (this.unanswered.size === 0) this.onAllAnswered();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, DRAIN_MS);
      this.onAllAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.unanswered.size === 0) this.onAllAnswered();
    });
    this.streams.endAll();
  }
}
