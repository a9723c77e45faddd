import { Inject, Injectable } from '@nestjs/common';
import { isEnded, NO_USAGE, type RunEvent } from '@copilot/contracts';
import { RunEventReader, type Cursor } from '@copilot/events';
import type { RunRow, SessionRow } from '@copilot/persistence';
import type { Response } from 'express';
import { FrameSequence, sseEvent } from '../sse/frames';
import { OpenStreams } from '../sse/open-streams';
import { RequestDrain } from '../sse/request-drain';
import { SSE_TIMES, SseStream, type SseTimes } from '../sse/sse-stream';
import { RunFollower } from './run-follower';

export interface StreamedRun {
  readonly run: RunRow;
  readonly session: SessionRow;
}

/** Streams a run to one client. The run does not know of its viewers: it goes on when they leave. */
@Injectable()
export class RunStreamer {
  constructor(
    private readonly reader: RunEventReader,
    private readonly follower: RunFollower,
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
    const known = after === undefined ? await this.knownWithoutLog(run) : undefined;
    if (after !== undefined) await this.replaySilently(run.runId, after, frames);

    const stream = new SseStream(response, this.times);
    this.openStreams.add(stream);
    stream.open();
    try {
      if (known) for (const event of known) await stream.send(sseEvent(frames.next(event), undefined));
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
    for await (const { cursor, event } of this.follower.follow(runId, after, stream.signal)) {
      await stream.send(sseEvent(frames.next(event), cursor));
      onSent();
    }
  }

  /** A call's frame needs its arguments from the start, which this reader has had before. */
  private async replaySilently(runId: string, until: Cursor, frames: FrameSequence): Promise<void> {
    for await (const { event } of this.follower.upTo(runId, until)) frames.next(event);
  }

  /** What the row still tells of an ended run whose log has expired. */
  private async knownWithoutLog(run: RunRow): Promise<RunEvent[] | undefined> {
    if (!isEnded(run.status) || (await this.reader.exists(run.runId))) return undefined;
    return [
      ...(run.errorCode === null
        ? []
        : [{ type: 'error' as const, error: run.errorMessage ?? run.errorCode, code: run.errorCode }]),
      { type: 'done', stop_reason: run.stopReason ?? 'error', usage: run.usage ?? NO_USAGE },
    ];
  }
}
