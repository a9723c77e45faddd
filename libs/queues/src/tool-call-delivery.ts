import { executeToolCallJob, type ExecuteToolCall } from '@copilot/contracts';
import { WaitingError, type Job } from 'bullmq';

/** One delivery of a tool call to a worker. */
export class ToolCallDelivery {
  readonly ids: ExecuteToolCall;

  constructor(
    private readonly job: Job,
    private readonly token: string,
  ) {
    this.ids = executeToolCallJob.schema.parse(job.data);
  }

  /** Gives the job back for another worker to take at once; BullMQ wants to see the error thrown. */
  async handBack(): Promise<never> {
    await this.job.moveToWait(this.token);
    throw new WaitingError();
  }
}
