import { QUEUES } from '@copilot/contracts';
import { LOGGER, type Logger } from '@copilot/observability';
import { Drain, DrainingWorker, Processor, WORKER_POLICY } from '@copilot/queues';
import { Inject } from '@nestjs/common';
import { SETTINGS, type Settings } from '../settings';
import { RunReaper } from './run-reaper';

/** Has the reaper sweep whenever the schedule says so. A queue of its own: it must not wait for a free slot. */
@Processor(QUEUES.upkeep, WORKER_POLICY)
export class UpkeepProcessor extends DrainingWorker {
  constructor(
    @Inject(RunReaper) private readonly reaper: RunReaper,
    @Inject(SETTINGS) settings: Settings,
    @Inject(LOGGER) log: Logger,
  ) {
    super({
      concurrency: 1,
      drainSeconds: settings.DRAIN_SECONDS,
      // Its own: a sweep that ends must not call off the drain of the runs.
      drain: new Drain(),
      onFault: (error) => log.warn({ err: error }, 'the upkeep has a fault'),
    });
  }

  protected override async handle(): Promise<void> {
    await this.reaper.sweep();
  }
}
