import type { RunErrorCode } from './errors';
import { MAX_EVENT_OUTPUT_CHARS, type RunEvent } from './events';
import { NO_USAGE, type StopReason, type Usage } from './run';

/** How a run has ended, as its row has it. */
export interface RunEnd {
  readonly stopReason: StopReason | null;
  readonly errorCode: RunErrorCode | null;
  readonly errorMessage: string | null;
  readonly usage: Usage | null;
}

/** The last events of a run, from its row: the same whoever tells them, and however often. */
export function endEvents({ stopReason, errorCode, errorMessage, usage }: RunEnd): RunEvent[] {
  return [
    ...(errorCode === null
      ? []
      : [{ type: 'error' as const, error: errorMessage ?? errorCode, code: errorCode }]),
    ...(stopReason === 'aborted' ? [{ type: 'abort' as const }] : []),
    { type: 'done', stop_reason: stopReason ?? 'error', usage: usage ?? NO_USAGE },
  ];
}

/** The end of a tool call. The output is whole in the row; an event carries so much of it that Redis stays small. */
export function toolEndEvent(
  { callId, name }: { readonly callId: string; readonly name: string },
  output: string,
): RunEvent {
  return {
    type: 'tool_end',
    tool_call_id: callId,
    tool_name: name,
    ...(output.length <= MAX_EVENT_OUTPUT_CHARS
      ? { tool_output: output }
      : { tool_output: shortened(output), full_length: output.length }),
  };
}

function shortened(output: string): string {
  const half = MAX_EVENT_OUTPUT_CHARS / 2;
  const left = output.length - 2 * half;
  return `${output.slice(0, half)}\n[... ${left} of ${output.length} characters are not shown here ...]\n${output.slice(-half)}`;
}
