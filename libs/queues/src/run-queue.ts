import { executeRunJob, type ExecuteRun } from '@copilot/contracts';
import type { Queue } from 'bullmq';
import { JOB_POLICY } from './worker-policy';

/** Puts runs on the queue. */
export class RunQueue {
  constructor(private readonly queue: Queue) {}

  /**
   * Adds the job of one enqueueing of a run. Adding it again changes nothing: BullMQ ignores a known id,
   * which is also why every enqueueing has a number of its own.
   */
  async enqueue({ runId, enqueueNumber }: ExecuteRun): Promise<void> {
    const data = executeRunJob.schema.parse({ runId, enqueueNumber });
    await this.queue.add(executeRunJob.name, data, { ...JOB_POLICY, jobId: `${runId}-${enqueueNumber}` });
  }
}
