import { judgeCall, TOOL_CALL_TIMEOUT_MS, TOOL_CATALOGUE, type AdmittedCall } from '@copilot/contracts';
import type { Logger } from '@copilot/observability';
import type { ClaimedToolCall, EndedToolCallStatus, ToolCallsRepository } from '@copilot/persistence';
import type { ToolCallDelivery } from '@copilot/queues';
import type { ToolBox } from '../tools/tool-box';
import type { ToolCallAnnouncer } from './tool-call-announcer';
import { OUTCOME_UNKNOWN, toToolOutput } from './tool-output';

/** A tool that does not heed the abort of its signal is given up after this. */
const ABORT_GRACE_MS = 5_000;

interface Result {
  readonly status: EndedToolCallStatus;
  readonly output: string;
}

interface Dependencies {
  readonly calls: ToolCallsRepository;
  readonly announcer: ToolCallAnnouncer;
  readonly tools: ToolBox;
  readonly log: Logger;
  /** Aborted at the end of a shutdown's drain. */
  readonly drained: AbortSignal;
}

/** One delivery of a tool call: row, verdict, execution, result, events. */
export class ToolCallExecutor {
  constructor(private readonly its: Dependencies) {}

  async execute(delivery: ToolCallDelivery, lockLost: AbortSignal): Promise<void> {
    const { runId, callId } = delivery.ids;
    const claimed = await this.its.calls.claim(runId, callId);
    if (!claimed) return await this.announceStored(runId, callId);
    const log = this.its.log.child({ runId, callId, tool: claimed.call.name, attempt: claimed.call.attempt });

    const result = await this.resultOf(claimed, lockLost, log);
    if (lockLost.aborted) return;
    if (result === 'given-up') return await delivery.handBack();
    if (!(await this.its.calls.finish(claimed.call, result))) return;
    log.info({ status: result.status, chars: result.output.length }, 'tool call ended');
    await this.its.announcer.end(claimed.call, result.output);
  }

  /** The call has its result already: a worker may have died before it told the viewers. */
  private async announceStored(runId: string, callId: string): Promise<void> {
    const row = await this.its.calls.find(runId, callId);
    if (row?.endedAt) await this.its.announcer.end(row, row.output ?? '');
  }

  private async resultOf(
    { call, run, startedBefore }: ClaimedToolCall,
    lockLost: AbortSignal,
    log: Logger,
  ): Promise<Result | 'given-up'> {
    const verdict = judgeCall({
      name: call.name,
      rawArguments: call.arguments,
      copilotMode: run.copilotMode,
      projectId: run.projectId,
    });
    if (!verdict.admitted) return { status: 'refused', output: verdict.refusal };
    const { effect } = TOOL_CATALOGUE[verdict.call.name];
    if (startedBefore && effect === 'changing') return { status: 'unknown', output: OUTCOME_UNKNOWN };

    await this.its.announcer.start(call);
    const stop = AbortSignal.any([lockLost, this.its.drained, AbortSignal.timeout(TOOL_CALL_TIMEOUT_MS)]);
    try {
      const value = await withGrace(this.run(verdict.call, { call, run, startedBefore }, stop), stop);
      return { status: 'succeeded', output: toToolOutput(value) };
    } catch (error) {
      if (this.its.drained.aborted && effect === 'read-only') return 'given-up';
      log.warn({ err: error }, 'tool call failed');
      return {
        status: effect === 'changing' && stop.aborted ? 'unknown' : 'failed',
        output: `Error: ${reasonOf(error, stop)}`,
      };
    }
  }

  private run(admitted: AdmittedCall, { call, run }: ClaimedToolCall, signal: AbortSignal): Promise<unknown> {
    return this.its.tools.run(admitted, {
      projectId: run.projectId,
      runId: run.runId,
      callId: call.callId,
      signal,
      onWaiting: this.its.announcer.waiting(call),
    });
  }
}

/** Rejects when the work has not ended a while after its signal was aborted: no tool may hold a run. */
async function withGrace<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const overdue = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(new Error('the tool did not end in time')), ABORT_GRACE_MS);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}

function reasonOf(error: unknown, stop: AbortSignal): string {
  if (stop.reason instanceof Error && stop.reason.name === 'TimeoutError') {
    return `the call did not end within ${TOOL_CALL_TIMEOUT_MS / 1_000} s and was stopped. What it had begun may or may not have taken effect; check before you repeat it.`;
  }
  return error instanceof Error ? error.message : String(error);
}
