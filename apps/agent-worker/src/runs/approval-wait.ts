import { parsedArguments, previewOf, type RunEvent, type Usage } from '@copilot/contracts';
import { LogClosedError, RunEventWriter } from '@copilot/events';
import type {
  ApprovalsRepository,
  Claim,
  RunRow,
  ToolCallRow,
  ToolCallsRepository,
} from '@copilot/persistence';
import type { RunQueue } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';

/** Lets runs wait for a person. A run that waits has a row and nothing else: no worker, and no job but its expiry. */
export class ApprovalWait {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly toolCalls: ToolCallsRepository,
    private readonly queue: RunQueue,
    private readonly redis: RedisClient,
    private readonly eventTtlSeconds: number,
  ) {}

  /**
   * Gives the claim up. The row says first that the run waits: whoever answers the event is then never told that
   * it does not.
   */
  async begin(claim: Claim, usage: Usage): Promise<void> {
    await this.announce(await this.approvals.wait(claim, usage));
  }

  /** For a late delivery of a run: its worker may have died between the row and what follows from it. */
  async announceIfWaiting(runId: string): Promise<void> {
    const run = await this.approvals.waiting(runId);
    if (run) await this.announce(run);
  }

  /** Doing it again changes nothing. */
  private async announce({ runId, attempt, deadlineAt, approvalExpiresAt }: RunRow): Promise<void> {
    if (!approvalExpiresAt) throw new Error('a waiting run has an end of its wait');
    await this.queue.settleUndecided(runId, approvalExpiresAt);
    const calls = await this.toolCalls.ofRun(runId);
    const event: RunEvent = {
      type: 'approval_required',
      expires_at: approvalExpiresAt.toISOString(),
      calls: calls.filter(({ approval }) => approval === 'pending').map(askedCall),
    };
    await this.tell(runId, event, attempt);
    // Its deadline stands still from now on, and will be another one.
    if (deadlineAt) await this.queue.forgetDeadline(runId, deadlineAt);
    // A worker that stood still may be here long after somebody has ended the wait.
    if (!(await this.approvals.waiting(runId))) await this.queue.forgetUndecided(runId, approvalExpiresAt);
  }

  private async tell(runId: string, event: RunEvent, attempt: number): Promise<void> {
    // The attempt that began the wait is its name: what is told again of it adds nothing.
    const fence = { writer: `approval-wait:${attempt}`, attempt: 0 } as const;
    try {
      await new RunEventWriter(this.redis, runId, fence, this.eventTtlSeconds).append(event);
    } catch (error) {
      // It was cancelled meanwhile, and its viewers have been told so.
      if (!(error instanceof LogClosedError)) throw error;
    }
  }
}

function askedCall({ callId, name, arguments: rawArguments }: ToolCallRow) {
  const args = parsedArguments(rawArguments);
  return { tool_call_id: callId, tool_name: name, arguments: args, preview: previewOf(args) };
}
