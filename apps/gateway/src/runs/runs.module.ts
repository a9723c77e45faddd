import { Module } from '@nestjs/common';
import { HEARTBEAT_MS } from '@copilot/contracts';
import { OpenStreams } from '../sse/open-streams';
import type { SseTimes } from '../sse/sse-stream';
import { RunFollower } from './run-follower';
import { RunStreamer, SSE_TIMES } from './run-streamer';
import { RunsController } from './runs.controller';
import { RunsService } from './runs.service';

const TIMES: SseTimes = { heartbeatMs: HEARTBEAT_MS, stallMs: 30_000 };

@Module({
  controllers: [RunsController],
  providers: [RunsService, RunFollower, RunStreamer, OpenStreams, { provide: SSE_TIMES, useValue: TIMES }],
  exports: [RunFollower, RunStreamer],
})
export class RunsModule {}
