import { QUEUES } from '@copilot/contracts';
import { LOGGER, type Logger } from '@copilot/observability';
import {
  Drain,
  DrainingWorker,
  Processor,
  RunDelivery,
  ToolCallFlows,
  WORKER_POLICY,
  type Job,
} from '@copilot/queues';
import { Inject } from '@nestjs/common';
import { SETTINGS, type Settings } from '../settings';
import { RunExecutor } from './run-executor';

/** Parses a delivery of a run and delegates. */
@Processor(QUEUES.runs, WORKER_POLICY)
export class RunProcessor extends DrainingWorker {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
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

  /** Three plain parameters, without defaults: BullMQ counts them to know that a signal is wanted. */
  override async process(job: Job, token?: string, signal?: AbortSignal): Promise<void> {
    if (token === undefined || signal === undefined) throw new Error('BullMQ gives a token and a signal');
    const delivery = new RunDelivery(job, token, this.flows);
    delivery.settle(await this.executor.execute(delivery, signal));
  }
}
