import { Module, type DynamicModule } from '@nestjs/common';
import type { Settings } from '../settings';
import { RunApproving } from './run-approving';
import { RunCancelling } from './run-cancelling';
import { RunEnds } from './run-ends';
import { RunFollower } from './run-follower';
import { RUN_MAX_SECONDS, RunLimiting } from './run-limiting';
import { RunRetelling } from './run-retelling';
import { RunStreamer } from './run-streamer';
import { RunsController } from './runs.controller';
import { RunsService } from './runs.service';

@Module({})
export class RunsModule {
  static register({ RUN_MAX_SECONDS: maxSeconds }: Pick<Settings, 'RUN_MAX_SECONDS'>): DynamicModule {
    return {
      module: RunsModule,
      global: true,
      controllers: [RunsController],
      providers: [
        { provide: RUN_MAX_SECONDS, useValue: maxSeconds },
        RunsService,
        RunApproving,
        RunCancelling,
        RunLimiting,
        RunEnds,
        RunFollower,
        RunRetelling,
        RunStreamer,
      ],
      exports: [RUN_MAX_SECONDS, RunCancelling, RunFollower, RunRetelling, RunStreamer],
    };
  }
}
