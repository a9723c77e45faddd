import type { Logger } from '@copilot/observability';
import { RunReapingRepository, RunsRepository } from '@copilot/persistence';
import { LostDeliveries, RunQueue, UpkeepSchedule } from '@copilot/queues';
import type { Provider } from '@nestjs/common';
import { RunReaper } from './run-reaper';
import { UpkeepWatch } from './upkeep-watch';
import { UpkeepProcessor } from './upkeep.processor';

/** What finds and mends what was left behind, put together. */
export function reaperProviders(log: Logger): Provider[] {
  return [
    UpkeepProcessor,
    {
      provide: UpkeepWatch,
      inject: [UpkeepSchedule],
      useFactory: (schedule: UpkeepSchedule) => new UpkeepWatch(schedule, log),
    },
    {
      provide: RunReaper,
      inject: [RunReapingRepository, RunsRepository, LostDeliveries, RunQueue],
      useFactory: (
        reaping: RunReapingRepository,
        runs: RunsRepository,
        lost: LostDeliveries,
        queue: RunQueue,
      ) => new RunReaper({ reaping, runs, lost, queue, log }),
    },
  ];
}
