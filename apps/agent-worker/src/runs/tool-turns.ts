import {
  decisionEvent,
  editedNote,
  isToolName,
  needsApproval,
  toolEndEvent,
  type RunEvent,
} from '@copilot/contracts';
import { RunEventWriter, type WriterFence } from '@copilot/events';
import type { Claim, ClaimedRun, ToolCallRow, ToolCallsRepository } from '@copilot/persistence';
import type { ToolCallJob } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import type { ToolInterrupt } from '../graph/nodes/await-tools.node';
import type { CallResult } from '../graph/state';

/** What is to be done about a turn's calls: jobs to be added, unless a person has to decide first. */
export interface StoredTurn {
  readonly undecided: boolean;
  readonly jobs: readonly ToolCallJob[];
}

/** The tool calls of a turn between graph and tool workers: rows first, then jobs, and the results from rows. */
export class ToolTurns {
  constructor(
    private readonly toolCalls: ToolCallsRepository,
    private readonly redis: RedisClient,
    private readonly eventTtlSeconds: number,
  ) {}

  /** The results of the turn's calls in order, or nothing while one is missing. */
  async resultsOf({ runId }: Claim, { iteration, calls }: ToolInterrupt): Promise<CallResult[] | undefined> {
    const rows = await this.toolCalls.ofIteration(runId, iteration);
    await this.tellDecisions(rows);
    const results = rows.flatMap((row) => (row.endedAt ? [toResult(row)] : []));
    return results.length === calls.length ? results : undefined;
  }

  /** Stores the turn's calls and tells of the refused ones. */
  async store({ claim, run }: ClaimedRun, { iteration, calls }: ToolInterrupt): Promise<StoredTurn> {
    const { runId } = claim;
    await this.toolCalls.add(
      claim,
      calls.map(({ callId, name, rawArguments, refusal }, position) => ({
        callId,
        iteration,
        position,
        name,
        arguments: rawArguments,
        ...(refusal !== undefined
          ? { refusal }
          : isToolName(name) && needsApproval(run.approvalPolicies, name)
            ? { approval: 'pending' as const }
            : {}),
      })),
    );
    for (const { callId, name, refusal } of calls) {
      if (refusal !== undefined) await this.tellEnd({ runId, callId, name, output: refusal });
    }
    const rows = await this.toolCalls.ofIteration(runId, iteration);
    return {
      undecided: rows.some(({ approval }) => approval === 'pending'),
      // Those that have run already too: calls that are handed out again after a crash have the same lanes.
      jobs: rows
        .filter(({ status }) => status !== 'refused' && status !== 'rejected')
        .map(({ callId, position }) => ({ runId, callId, iteration, position })),
    };
  }

  /**
   * Results for all of the turn's calls, now: those that have none get one that says why, and nobody executes
   * them any more.
   */
  async close(
    claimed: ClaimedRun,
    interrupt: ToolInterrupt,
    why: { readonly skipped: (callId: string) => string; readonly stopped: string },
  ): Promise<CallResult[]> {
    const { claim } = claimed;
    await this.store(claimed, interrupt);
    await this.toolCalls.closeOpen(claim, why);
    const rows = await this.toolCalls.ofIteration(claim.runId, interrupt.iteration);
    await this.tellDecisions(rows);
    for (const row of rows) if (wasClosed(row)) await this.tellEnd(row);
    return rows.map(toResult);
  }

  /** What people have decided, and the end of what they have rejected; telling it again adds nothing. */
  private async tellDecisions(rows: readonly ToolCallRow[]): Promise<void> {
    for (const row of rows) {
      const event = decisionEvent(row);
      if (event) await this.tell(row.runId, `approval:${row.callId}`, event);
      if (row.status === 'rejected') await this.tellEnd(row);
    }
  }

  /** A call that is not executed has no start, only its end. */
  private async tellEnd(call: Pick<ToolCallRow, 'runId' | 'callId' | 'name' | 'output'>): Promise<void> {
    await this.tell(call.runId, `call-end:${call.callId}`, toolEndEvent(call, call.output ?? ''));
  }

  private async tell(runId: string, writer: WriterFence['writer'], event: RunEvent): Promise<void> {
    await new RunEventWriter(this.redis, runId, { writer, attempt: 0 }, this.eventTtlSeconds).append(event);
  }
}

/** By its run's end and not by a tool worker; the viewers have not been told of it then. */
function wasClosed({ status }: ToolCallRow): boolean {
  return status === 'skipped' || status === 'unknown';
}

function toResult(row: ToolCallRow): CallResult {
  const output = row.output ?? '';
  const wasEdited = row.originalArguments !== null && row.status !== 'rejected';
  return {
    callId: row.callId,
    name: row.name,
    // Its message in the conversation shows what the model had asked for.
    output: wasEdited ? editedNote(row.arguments) + output : output,
    failed: row.status !== 'succeeded',
    rejected: row.status === 'rejected',
    retries: row.retries,
  };
}
