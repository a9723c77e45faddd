import type { ExecuteRun } from '@copilot/contracts';

/** BullMQ ignores a job whose id it knows, so every enqueueing of a run has an id of its own. */
export function runJobId({ runId, enqueueNumber }: ExecuteRun): string {
  return `${runId}-${enqueueNumber}`;
}

export function settleJobId(runId: string): string {
  return `${runId}-settle`;
}

/** Once for each deadline, however often a run asks. */
export function deadlineJobId(runId: string, deadlineAt: Date): string {
  return `${runId}-deadline-${deadlineAt.getTime()}`;
}

/** Once for each wait for a person. */
export function expiryJobId(runId: string, expiresAt: Date): string {
  return `${runId}-approval-${expiresAt.getTime()}`;
}

/** A tool call's place in its run; a provider's own ids may have characters that BullMQ does not allow. */
export interface ToolCallPlace {
  readonly runId: string;
  readonly iteration: number;
  /** Among the calls of the iteration, from 0. */
  readonly position: number;
}

export function toolCallJobId({ runId, iteration, position }: ToolCallPlace): string {
  return `${runId}-${iteration}-${position}`;
}
