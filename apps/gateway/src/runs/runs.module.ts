import { Module } from '@nestjs/common';
import { RunFollower } from './run-follower';
import { RunStreamer } from './run-streamer';
import { RunsController } from './runs.controller';
import { RunsService } from './runs.service';

@Module({
  controllers: [RunsController],
  providers: [RunsService, RunFollower, RunStreamer],
  exports: [RunFollower, RunStreamer],
})
export class RunsModule {}
