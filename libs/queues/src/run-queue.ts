import { executeRunJob, settleRunJob, SETTLE_GRACE_MS, type ExecuteRun } from '@copilot/contracts';
import type { JobsOptions, Queue } from 'bullmq';
import { deadlineJobId, expiryJobId, runJobId, settleJobId } from './job-ids';
import { JOB_POLICY, SETTLE_POLICY } from './worker-policy';

/** Puts runs on the queue. */
export class RunQueue {
  constructor(private readonly queue: Queue) {}

  /** Adds the job of one enqueueing of a run. Adding it again changes nothing. */
  async enqueue({ runId, enqueueNumber }: ExecuteRun): Promise<void> {
    const data = executeRunJob.schema.parse({ runId, enqueueNumber });
    await this.queue.add(executeRunJob.name, data, { ...JOB_POLICY, jobId: runJobId(data) });
  }

  /** Has a run that was cancelled ended from outside, before anything else that waits. */
  async settleNow(runId: string): Promise<void> {
    await this.addSettling(runId, { jobId: settleJobId(runId), lifo: true });
  }

  /**
   * Has a run ended from outside if it is not over soon after its deadline, `remainingMs` from now. Once for
   * each deadline, however often a run asks.
   */
  async settleAfter(runId: string, deadlineAt: Date, remainingMs: number): Promise<void> {
    await this.addSettling(runId, {
      jobId: deadlineJobId(runId, deadlineAt),
      delay: Math.max(0, Math.ceil(remainingMs)) + SETTLE_GRACE_MS,
    });
  }

  /** The run has ended: its deadline's job would do nothing, and is not kept until then. */
  async forgetDeadline(runId: string, deadlineAt: Date): Promise<void> {
    await this.queue.remove(deadlineJobId(runId, deadlineAt));
  }

  /** Has what nobody has decided of by then rejected, and its run go on. Once, however often it is asked. */
  async settleUndecided(runId: string, expiresAt: Date): Promise<void> {
    const delay = Math.max(0, expiresAt.getTime() - Date.now());
    await this.addSettling(runId, { jobId: expiryJobId(runId, expiresAt), delay });
  }

  /** The run does not wait for a person any more: the job for the end of its wait would stay for a day. */
  async forgetUndecided(runId: string, expiresAt: Date): Promise<void> {
    await this.queue.remove(expiryJobId(runId, expiresAt));
  }

  private async addSettling(runId: string, options: JobsOptions): Promise<void> {
    await this.queue.add(settleRunJob.name, settleRunJob.schema.parse({ runId }), {
      ...SETTLE_POLICY,
      ...options,
    });
  }
}
