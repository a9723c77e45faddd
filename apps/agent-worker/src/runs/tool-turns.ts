import { toolEndEvent } from '@copilot/contracts';
import { RunEventWriter } from '@copilot/events';
import type { Claim, ToolCallRow, ToolCallsRepository } from '@copilot/persistence';
import type { ToolCallJob } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import type { ToolInterrupt } from '../graph/nodes/await-tools.node';
import type { CallResult } from '../graph/state';

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
    const results = rows.flatMap((row) => (row.endedAt ? [toResult(row)] : []));
    return results.length === calls.length ? results : undefined;
  }

  /** Stores the turn's calls and tells of the refused ones. Returns the jobs of the others. */
  async store(claim: Claim, { iteration, calls }: ToolInterrupt): Promise<ToolCallJob[]> {
    await this.toolCalls.add(
      claim,
      calls.map(({ callId, name, rawArguments, refusal }, position) => ({
        callId,
        iteration,
        position,
        name,
        arguments: rawArguments,
        ...(refusal === undefined ? {} : { refusal }),
      })),
    );
    for (const { callId, name, refusal } of calls) {
      if (refusal !== undefined) await this.announceEnd(claim.runId, { callId, name, output: refusal });
    }
    return calls.flatMap(({ callId, refusal }, position) =>
      refusal === undefined ? [{ runId: claim.runId, callId, iteration, position }] : [],
    );
  }

  /**
   * Results for all of the turn's calls, now: those that have none get one that says why, and nobody executes
   * them any more.
   */
  async close(
    claim: Claim,
    interrupt: ToolInterrupt,
    why: { readonly skipped: (callId: string) => string; readonly stopped: string },
  ): Promise<CallResult[]> {
    await this.store(claim, interrupt);
    await this.toolCalls.closeOpen(claim, why);
    const rows = await this.toolCalls.ofIteration(claim.runId, interrupt.iteration);
    for (const row of rows) if (wasClosed(row)) await this.announceEnd(claim.runId, toResult(row));
    return rows.map(toResult);
  }

  /** A call that is not executed has no start, only its end. */
  private async announceEnd(
    runId: string,
    call: Pick<CallResult, 'callId' | 'name' | 'output'>,
  ): Promise<void> {
    const fence = { writer: `call-end:${call.callId}`, attempt: 0 } as const;
    await new RunEventWriter(this.redis, runId, fence, this.eventTtlSeconds).append(
      toolEndEvent(call, call.output),
    );
  }
}

/** By its run's end and not by a tool worker; the viewers have not been told of it then. */
function wasClosed({ status }: ToolCallRow): boolean {
  return status === 'skipped' || status === 'unknown';
}

function toResult(row: ToolCallRow): CallResult {
  return {
    callId: row.callId,
    name: row.name,
    output: row.output ?? '',
    failed: row.status !== 'succeeded',
    retries: row.retries,
  };
}
