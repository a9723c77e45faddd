import { Injectable } from '@nestjs/common';
import type { SseStream } from './sse-stream';

/** All open streams of the process. A shutdown ends them, for a server waits for its connections. */
@Injectable()
export class OpenStreams {
  private readonly streams = new Set<SseStream>();
  private closing = false;

  add(stream: SseStream): void {
    if (this.closing) return stream.end();
    if (stream.signal.aborted) return;
    this.streams.add(stream);
    stream.signal.addEventListener('abort', () => this.streams.delete(stream));
  }

  get size(): number {
    return this.streams.size;
  }

  /** Also of every stream that is opened from now on. */
  endAll(): void {
    this.closing = true;
    for (const stream of this.streams) stream.end();
  }
}
