import { QUEUES } from '@copilot/contracts';
import { LOGGER, type Logger } from '@copilot/observability';
import {
  Drain,
  DrainingWorker,
  Processor,
  RunDelivery,
  SettleDelivery,
  ToolCallFlows,
  WORKER_POLICY,
  type Job,
} from '@copilot/queues';
import { Inject } from '@nestjs/common';
import { SETTINGS, type Settings } from '../settings';
import { RunExecutor } from './run-executor';
import { RunSettler } from './run-settler';

/** Parses what is to be done with a run and delegates. */
@Processor(QUEUES.runs, WORKER_POLICY)
export class RunProcessor extends DrainingWorker {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(RunSettler) private readonly settler: RunSettler,
    @Inject(ToolCallFlows) private readonly flows: ToolCallFlows,
    @Inject(Drain) drain: Drain,
    @Inject(SETTINGS) settings: Settings,
    @Inject(LOGGER) log: Logger,
  ) {
    super({
      concurrency: settings.AGENT_CONCURRENCY,
      drainSeconds: settings.DRAIN_SECONDS,
      drain,
      onFault: (error) => log.warn({ err: error }, 'the runs queue has a fault'),
    });
  }

  protected override async handle(job: Job, token: string, lockLost: AbortSignal): Promise<void> {
    if (SettleDelivery.isOf(job)) return await this.settler.settle(new SettleDelivery(job, token), lockLost);
    const delivery = new RunDelivery(job, token, this.flows);
    delivery.settle(await this.executor.execute(delivery, lockLost));
  }
}
