import { executeRunJob, type ExecuteRun } from '@copilot/contracts';
import { WaitingChildrenError, WaitingError, type Job } from 'bullmq';
import type { ToolCallFlows, ToolCallJob } from './tool-call-flows';

/** What became of a delivery; `RunDelivery.settle` turns it into BullMQ's answer. */
export type DeliveryOutcome = 'finished' | 'parked' | 'handed-back';

/** One delivery of a run to a worker: the only things that may be done to its job. */
export class RunDelivery {
  readonly ids: ExecuteRun;

  constructor(
    private readonly job: Job,
    private readonly token: string,
    private readonly flows: ToolCallFlows,
  ) {
    this.ids = executeRunJob.schema.parse(job.data);
  }

  addToolCalls(lanes: readonly (readonly ToolCallJob[])[]): Promise<void> {
    return this.flows.add(this.job, lanes);
  }

  /** Frees the worker's slot until the last child has ended. False: all of them have ended already. */
  park(): Promise<boolean> {
    return this.job.moveToWaitingChildren(this.token);
  }

  /** Gives the job back for another worker to take at once. */
  async handBack(): Promise<void> {
    await this.job.moveToWait(this.token);
  }

  /** BullMQ learns by a special error that a job has left `active` without having ended. */
  settle(outcome: DeliveryOutcome): void {
    switch (outcome) {
      case 'parked':
        throw new WaitingChildrenError();
      case 'handed-back':
        throw new WaitingError();
      case 'finished':
    }
  }
}
