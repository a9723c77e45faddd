import { withDeadline } from '@copilot/config';
import {
  judgeCall,
  needsApproval,
  skippedByCancel,
  STOPPED_BY_CANCEL,
  TOOL_CALL_TIMEOUT_MS,
  TOOL_CATALOGUE,
  type AdmittedCall,
} from '@copilot/contracts';
import { effectiveLimitsSchema, noTimeText, stoppedByTimeText, type EffectiveLimits } from '@copilot/limits';
import type { Logger } from '@copilot/observability';
import {
  isDatabaseUnavailable,
  type ClaimedToolCall,
  type EndedToolCallStatus,
  type ToolCallsRepository,
} from '@copilot/persistence';
import type { ToolCallDelivery } from '@copilot/queues';
import type { ToolBox } from '../tools/tool-box';
import { withRetries } from './attempts';
import type { RunWatch, RunWatches } from './run-watch';
import type { ToolCallAnnouncer } from './tool-call-announcer';
import { OUTCOME_UNKNOWN, toToolOutput } from './tool-output';

/** A tool that does not heed the abort of its signal is given up after this. */
const ABORT_GRACE_MS = 5_000;
const STORE_AGAIN_MS = 500;

/** Before a call that failed is made again. */
const RETRY_PAUSE_MS = 500;

/** The row is to say so itself: a call whose approval was never asked for is not one that needs none. */
const NOT_APPROVED = 'Error: this call needs the approval of a person and has none. Nothing was executed.';

interface Result {
  readonly status: EndedToolCallStatus;
  readonly output: string;
  readonly retries: number;
}

interface Dependencies {
  readonly calls: ToolCallsRepository;
  readonly watches: RunWatches;
  readonly announcer: ToolCallAnnouncer;
  readonly tools: ToolBox;
  readonly log: Logger;
  /** Aborted at the end of a shutdown's drain. */
  readonly drained: AbortSignal;
}

/** What one call is executed with. */
interface Execution {
  readonly watch: RunWatch;
  readonly lockLost: AbortSignal;
  readonly limits: EffectiveLimits;
  readonly log: Logger;
}

/** One delivery of a tool call: row, verdict, execution, result, events. */
export class ToolCallExecutor {
  constructor(private readonly its: Dependencies) {}

  async execute(delivery: ToolCallDelivery, lockLost: AbortSignal): Promise<void> {
    const watch = this.its.watches.of(delivery.ids.runId);
    try {
      await this.work(delivery, watch, lockLost);
    } finally {
      watch.close();
    }
  }

  private async work(delivery: ToolCallDelivery, watch: RunWatch, lockLost: AbortSignal): Promise<void> {
    const { runId, callId } = delivery.ids;
    const claimed = await this.its.calls.claim(runId, callId);
    if (!claimed) return await this.announceStored(runId, callId);
    const log = this.its.log.child({ runId, callId, tool: claimed.call.name, attempt: claimed.call.attempt });

    const result = await this.resultOf(claimed, watch, lockLost, log);
    if (lockLost.aborted) return;
    if (result === 'given-up') return await delivery.handBack();
    if (!(await this.store(claimed, result, lockLost))) return;
    log.info(
      { status: result.status, chars: result.output.length, retries: result.retries },
      'tool call ended',
    );
    await this.its.announcer.end(claimed.call, result.output);
  }

  /** A result in hand is not given up because the database blinks: the next worker could only say "unknown". */
  private async store({ call }: ClaimedToolCall, result: Result, lockLost: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        return await this.its.calls.finish(call, result);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || lockLost.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, STORE_AGAIN_MS));
      }
    }
  }

  /** The call has its result already: a worker may have died before it told the viewers. */
  private async announceStored(runId: string, callId: string): Promise<void> {
    const row = await this.its.calls.find(runId, callId);
    if (row?.endedAt) await this.its.announcer.end(row, row.output ?? '');
  }

  private async resultOf(
    claimed: ClaimedToolCall,
    watch: RunWatch,
    lockLost: AbortSignal,
    log: Logger,
  ): Promise<Result | 'given-up'> {
    const { call, run, startedBefore, remainingMs } = claimed;
    const verdict = judgeCall({
      name: call.name,
      rawArguments: call.arguments,
      copilotMode: run.copilotMode,
      projectId: run.projectId,
    });
    if (!verdict.admitted) return notRun('refused', verdict.refusal);
    if (needsApproval(run.approvalPolicies, verdict.call.name) && call.approval !== 'approved') {
      return notRun('refused', NOT_APPROVED);
    }
    const { effect } = TOOL_CATALOGUE[verdict.call.name];
    if (startedBefore && effect === 'changing') return notRun('unknown', OUTCOME_UNKNOWN);
    if (run.cancelRequestedAt !== null) return notRun('skipped', skippedByCancel(call.callId));
    const limits = effectiveLimitsSchema.parse(run.effectiveLimits);
    if (remainingMs <= 0) return notRun('skipped', noTimeText(limits));

    await this.its.announcer.start(call);
    watch.keepTo(remainingMs);
    return await this.perform(verdict.call, claimed, { watch, lockLost, limits, log });
  }

  private async perform(
    admitted: AdmittedCall,
    claimed: ClaimedToolCall,
    { watch, lockLost, limits, log }: Execution,
  ): Promise<Result | 'given-up'> {
    const { effect } = TOOL_CATALOGUE[admitted.name];
    const outer = AbortSignal.any([lockLost, this.its.drained, watch.signal]);
    return await withDeadline(outer, TOOL_CALL_TIMEOUT_MS, async (stop) => {
      const attempted = await withRetries(() => withGrace(this.run(admitted, claimed, stop), stop), {
        retries: effect === 'read-only' && limits.retry_on_tool_error ? limits.max_retries_per_tool : 0,
        pauseMs: RETRY_PAUSE_MS,
        signal: stop,
      });
      const { retries } = attempted;
      if (attempted.ok) return { status: 'succeeded', output: toToolOutput(attempted.value), retries };
      if (this.its.drained.aborted && effect === 'read-only') return 'given-up';
      log.warn({ err: attempted.error, runOver: watch.over }, 'tool call failed');
      return {
        status: effect === 'changing' && stop.aborted ? 'unknown' : 'failed',
        output: stoppedText(watch, limits) ?? failureText(attempted.error, stop),
        retries,
      };
    });
  }

  private run(admitted: AdmittedCall, { call, run }: ClaimedToolCall, signal: AbortSignal): Promise<unknown> {
    return this.its.tools.run(admitted, {
      projectId: run.projectId,
      runId: run.runId,
      labLogin: run.labLogin,
      callId: call.callId,
      findCall: (callId) => this.its.calls.findInSession(run.session, callId),
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

function notRun(status: 'refused' | 'skipped' | 'unknown', output: string): Result {
  return { status, output, retries: 0 };
}

/** What the model is told of a call that ended with its run. */
function stoppedText({ over, changedLimits }: RunWatch, before: EffectiveLimits): string | undefined {
  if (over === undefined) return undefined;
  if (over !== 'deadline') return STOPPED_BY_CANCEL;
  return stoppedByTimeText(changedLimits ? effectiveLimitsSchema.parse(changedLimits) : before);
}

function failureText(error: unknown, stop: AbortSignal): string {
  if (!isTimeout(stop)) return `Error: ${textOf(error)}`;
  return `Error: the call did not end within ${TOOL_CALL_TIMEOUT_MS / 1_000} s and was stopped. What it had begun may or may not have taken effect; check before you repeat it.`;
}

function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
