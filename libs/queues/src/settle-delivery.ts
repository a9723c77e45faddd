import { settleRunJob } from '@copilot/contracts';
import { DelayedError, WaitingError, type Job } from 'bullmq';

/** One delivery of the order to end a run from outside. */
export class SettleDelivery {
  readonly runId: string;

  constructor(
    private readonly job: Job,
    private readonly token: string,
  ) {
    this.runId = settleRunJob.schema.parse(job.data).runId;
  }

  static isOf(job: Job): boolean {
    return job.name === settleRunJob.name;
  }

  /** Comes back after `delayMs`; BullMQ wants to see the error thrown. */
  async postpone(delayMs: number): Promise<never> {
    await this.job.moveToDelayed(Date.now() + delayMs, this.token);
    throw new DelayedError();
  }

  /** Gives the job back for another worker to take at once. */
  async handBack(): Promise<never> {
    await this.job.moveToWait(this.token);
    throw new WaitingError();
  }
}
