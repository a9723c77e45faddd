import { Inject, Injectable } from '@nestjs/common';
import { decisionEvent, judgeCall } from '@copilot/contracts';
import { LOGGER, type Logger } from '@copilot/observability';
import {
  ApprovalsRepository,
  ToolCallsRepository,
  type Decided,
  type Decision,
  type RunRow,
  type ToolCallRow,
} from '@copilot/persistence';
import { RunQueue } from '@copilot/queues';
import type { Identity } from '../auth/caller';
import { ApiError, unavailable, unprocessable } from '../errors/api-error';
import { RunLogs } from '../events/run-logs';
import type { CallDecision } from './approvals.dto';

type Recorded = Extract<Decided, { type: 'recorded' }>;

/** Takes people's decisions on calls that wait for them. */
@Injectable()
export class RunApproving {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly toolCalls: ToolCallsRepository,
    private readonly queue: RunQueue,
    private readonly logs: RunLogs,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves once all of them are recorded and, if nothing is undecided, the run is on the queue. Rejects with 422
   * for a call that does not wait for anybody or arguments that cannot run, and with 409 for one that was decided
   * otherwise or too late; nothing is recorded then.
   */
  async decide(run: RunRow, asked: readonly CallDecision[], { userId }: Identity): Promise<void> {
    const { runId } = run;
    const decisions = judged(asked, run, await this.toolCalls.ofRun(runId));
    const decided = await this.approvals.decide(runId, userId, decisions);
    if (decided.type === 'recorded') return await this.goOn(runId, decided, userId);
    // The order to end the wait may have been lost with Redis; another one does no harm.
    if (decided.type === 'too-late') await this.queue.settleNow(runId);
    throw refusal(runId, decided);
  }

  private async goOn(runId: string, { calls, next }: Recorded, userId: string): Promise<void> {
    const states = Object.fromEntries(calls.map(({ callId, approval }) => [callId, approval]));
    this.logger.info({ runId, userId, calls: states, goesOn: next !== null }, 'calls of a run are decided');
    await this.tell(runId, calls);
    if (!next) return;
    try {
      await this.queue.enqueue(next);
    } catch (error) {
      this.logger.warn({ err: error, runId }, 'a run whose calls are decided could not be enqueued');
      throw unavailable('The queue (Redis)', 'The decisions are recorded, and may be sent again. ');
    }
  }

  /** What is lost here is told by the worker that goes on with the run. */
  private async tell(runId: string, calls: readonly ToolCallRow[]): Promise<void> {
    try {
      for (const call of calls) {
        const event = decisionEvent(call);
        if (event) await this.logs.decided(runId, event);
      }
    } catch (err) {
      this.logger.warn({ err, runId }, 'a decision could not be told');
    }
  }
}

/** Edited arguments have to pass what the model's had to; what devices may be sent the tool worker judges again. */
function judged(asked: readonly CallDecision[], run: RunRow, calls: readonly ToolCallRow[]): Decision[] {
  return asked.map(({ tool_call_id: callId, decision, arguments: args, reason }, index) => {
    const edited = decision === 'edit' ? JSON.stringify(args) : undefined;
    const call = calls.find((one) => one.callId === callId);
    if (edited !== undefined && call) {
      const { copilotMode, projectId } = run;
      const verdict = judgeCall({ name: call.name, rawArguments: edited, copilotMode, projectId });
      if (!verdict.admitted)
        throw unprocessable(`calls.${index}.arguments cannot be run: ${verdict.refusal}`);
    }
    return { callId, approved: decision !== 'reject', edited, reason: reason ?? undefined };
  });
}

function refusal(runId: string, decided: Exclude<Decided, Recorded>): ApiError {
  switch (decided.type) {
    case 'unknown-call': {
      const { callId, known } = decided;
      const waiting = known.length === 0 ? 'none waits' : `those that wait are ${known.join(', ')}`;
      return unprocessable(
        `calls: the run has no call '${callId}' that a person has to approve; ${waiting}. GET the run to see its approvals`,
      );
    }
    case 'decided-otherwise': {
      const { callId, approval } = decided.call;
      return new ApiError(
        409,
        `Call '${callId}' of run '${runId}' is already ${approval}, and this decision differs; GET the run to see what holds`,
      );
    }
    case 'too-late':
      return new ApiError(
        409,
        `The time to decide of the calls of run '${runId}' is over; they are rejected`,
      );
    case 'not-waiting':
      return new ApiError(409, `Run '${runId}' is ${decided.run.status} and does not wait for approval`);
  }
}
