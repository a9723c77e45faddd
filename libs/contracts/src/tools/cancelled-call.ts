/** The result of a call that a cancelled run never began; the wording is the wire contract's. */
export function skippedByCancel(callId: string): string {
  return `{"status": "aborted", "message": "Tool execution was aborted by user", "tool_call_id": ${JSON.stringify(callId)}}`;
}

/** The result of a call that was under way when its run was cancelled. */
export const STOPPED_BY_CANCEL =
  'Error: the run was cancelled and the call was stopped. What it had begun may or may not have taken effect; check before you repeat it.';
