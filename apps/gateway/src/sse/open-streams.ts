import { Injectable } from '@nestjs/common';
import type { SseStream } from './sse-stream';

/** All open streams of the process. A shutdown ends them, for a server waits for its connections. */
@Injectable()
export class OpenStreams {
  private readonly streams = new Set<SseStream>();
  private isClosing = false;

  add(stream: SseStream): void {
    if (this.isClosing) return stream.end();
    if (stream.signal.aborted) return;
    this.streams.add(stream);
    stream.signal.addEventListener('abort', () => this.streams.delete(stream));
  }

  get size(): number {
    return this.streams.size;
  }

  /** From here on it is the gateway that closes connections, whether they have a stream or not. */
  get closing(): boolean {
    return this.isClosing;
  }

  /** Also of every stream that is opened from now on. */
  endAll(): void {
    this.isClosing = true;
    for (const stream of this.streams) stream.end();
  }
}
