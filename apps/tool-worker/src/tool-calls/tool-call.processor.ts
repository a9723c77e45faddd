import { QUEUES } from '@copilot/contracts';
import { LOGGER, type Logger } from '@copilot/observability';
import { Drain, DrainingWorker, Processor, ToolCallDelivery, WORKER_POLICY, type Job } from '@copilot/queues';
import { Inject } from '@nestjs/common';
import { SETTINGS, type Settings } from '../settings';
import { ToolCallExecutor } from './tool-call-executor';

/** Parses a delivery of a tool call and delegates. */
@Processor(QUEUES.toolCalls, WORKER_POLICY)
export class ToolCallProcessor extends DrainingWorker {
  constructor(
    @Inject(ToolCallExecutor) private readonly executor: ToolCallExecutor,
    @Inject(Drain) drain: Drain,
    @Inject(SETTINGS) settings: Settings,
    @Inject(LOGGER) log: Logger,
  ) {
    super({
      concurrency: settings.TOOL_CONCURRENCY,
      drainSeconds: settings.DRAIN_SECONDS,
      drain,
      onFault: (error) => log.warn({ err: error }, 'the tool-calls queue has a fault'),
    });
  }

  protected override async handle(job: Job, token: string, lockLost: AbortSignal): Promise<void> {
    await this.executor.execute(new ToolCallDelivery(job, token), lockLost);
  }
}
