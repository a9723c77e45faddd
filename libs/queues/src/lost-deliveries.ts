import type { ExecuteRun } from '@copilot/contracts';
import type { JobState, Queue } from 'bullmq';
import { deadlineJobId, runJobId, settleJobId, toolCallJobId, type ToolCallPlace } from './job-ids';

/** What a run's jobs are known by. */
export interface DeliveredRun extends ExecuteRun {
  readonly deadlineAt: Date | null;
}

/** In these a job is with a worker, or comes to one by itself. */
const IN_MOTION: readonly (JobState | 'unknown')[] = ['waiting', 'prioritized', 'delayed', 'active'];

/**
 * Tells the runs and calls that will be delivered from those that the queue does not know any more, and clears
 * away what is left of the latter. Questions go out together, on one connection, and cost one round trip.
 */
export class LostDeliveries {
  constructor(
    private readonly runs: Queue,
    private readonly toolCalls: Queue,
  ) {}

  /** Those of these runs that no job will bring to a worker, be it to work on them or to end them. */
  async runsAtRest<Run extends DeliveredRun>(runs: readonly Run[]): Promise<Run[]> {
    const without = await this.without(this.runs, runs, runJobId);
    // A run that is being ended is held under a number for which there never was a job.
    const withoutEnd = await this.without(this.runs, without, ({ runId }) => settleJobId(runId));
    const ending = await Promise.all(withoutEnd.map((run) => this.isEndedAtDeadline(run)));
    return withoutEnd.filter((_, index) => ending[index] === false);
  }

  /** Those of these calls that no job will bring to a worker. */
  callsAtRest<Call extends ToolCallPlace>(calls: readonly Call[]): Promise<Call[]> {
    return this.without(this.toolCalls, calls, toolCallJobId);
  }

  /**
   * Removes what there still is of a lost run's jobs: a parent that waits for children that are gone, and
   * children whose ids a new parent could not take over. What is with a worker stays.
   */
  async clear(run: ExecuteRun, calls: readonly ToolCallPlace[]): Promise<void> {
    await this.runs.remove(runJobId(run));
    await Promise.all(calls.map((call) => this.toolCalls.remove(toolCallJobId(call))));
  }

  /** A deadline's job lies ready from early on; only once it has struck it is about to end the run. */
  private async isEndedAtDeadline({ runId, deadlineAt }: DeliveredRun): Promise<boolean> {
    if (!deadlineAt) return false;
    const state = await this.runs.getJobState(deadlineJobId(runId, deadlineAt));
    return state !== 'delayed' && IN_MOTION.includes(state);
  }

  private async without<T>(queue: Queue, items: readonly T[], idOf: (item: T) => string): Promise<T[]> {
    const states = await Promise.all(items.map((item) => queue.getJobState(idOf(item))));
    return items.filter((_, index) => !IN_MOTION.includes(states[index] ?? 'unknown'));
  }
}
