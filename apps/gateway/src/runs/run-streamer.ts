import { Inject, Injectable } from '@nestjs/common';
import { RunEventReader, type Cursor } from '@copilot/events';
import type { RunRow, SessionRow } from '@copilot/persistence';
import type { Response } from 'express';
import { FrameSequence, sseEvent } from '../sse/frames';
import { OpenStreams } from '../sse/open-streams';
import { RequestDrain } from '../sse/request-drain';
import { SSE_TIMES, SseStream, type SseTimes } from '../sse/sse-stream';
import { RunFollower } from './run-follower';
import { RunRetelling } from './run-retelling';

export interface StreamedRun {
  readonly run: RunRow;
  readonly session: SessionRow;
}

const RUN = { type: 'run', queue_position: 0 } as const;

/** Streams a run to one client. The run does not know of its viewers: it goes on when they leave. */
@Injectable()
export class RunStreamer {
  constructor(
    private readonly reader: RunEventReader,
    private readonly follower: RunFollower,
    private readonly retelling: RunRetelling,
    private readonly openStreams: OpenStreams,
    private readonly drain: RequestDrain,
    @Inject(SSE_TIMES) private readonly times: SseTimes,
  ) {}

  /**
   * Resolves when the stream has ended. All that can be refused is refused before the first byte, as a
   * plain answer; what fails later cuts the stream, and the client resumes.
   */
  async stream(
    { run, session }: StreamedRun,
    lastEventId: string | undefined,
    response: Response,
  ): Promise<void> {
    const frames = new FrameSequence({ session_id: session.sessionId, run_id: run.runId });
    const after = await this.reader.resumePoint(run.runId, lastEventId);
    const retold = after === undefined ? await this.retelling.instead(run) : undefined;
    if (after !== undefined) await this.replaySilently(run.runId, after, frames);

    const stream = new SseStream(response, this.times);
    this.openStreams.add(stream);
    stream.open();
    try {
      if (retold) for (const event of retold) await stream.send(sseEvent(frames.next(event), undefined));
      else {
        // Whoever resumes has a cursor already; a new viewer has one from its first event.
        if (after !== undefined) this.drain.answered(response);
        await this.sendLog(run.runId, after, frames, stream, () => this.drain.answered(response));
      }
    } finally {
      stream.end();
    }
  }

  private async sendLog(
    runId: string,
    after: Cursor | undefined,
    frames: FrameSequence,
    stream: SseStream,
    onSent: () => void,
  ): Promise<void> {
    let isFirst = after === undefined;
    for await (const { cursor, event } of this.follower.follow(runId, after, stream.signal)) {
      // Of a run whose log was lost while it worked: what comes belongs to it all the same.
      if (isFirst && event.type !== 'run') await stream.send(sseEvent(frames.next(RUN), undefined));
      isFirst = false;
      await stream.send(sseEvent(frames.next(event), cursor));
      onSent();
    }
  }

  /** A call's frame needs its arguments from the start, which this reader has had before. */
  private async replaySilently(runId: string, until: Cursor, frames: FrameSequence): Promise<void> {
    for await (const { event } of this.follower.upTo(runId, until)) frames.next(event);
  }
}
