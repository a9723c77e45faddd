import type { RunEvent } from '../events';

/** Of a call that a person has to approve. `withdrawn`: its run ended before anybody decided. */
export type ApprovalState = 'pending' | 'approved' | 'rejected' | 'expired' | 'withdrawn';

/** A call of which it has been decided, as its row says it. */
export interface DecidedCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
  /** What the model had asked for, where a person changed it. */
  readonly originalArguments: string | null;
  readonly approval: ApprovalState | null;
  readonly approvalReason: string | null;
  readonly decidedBy: string | null;
}

/** What viewers are told of a decision; nothing while there is none. */
export function decisionEvent(
  call: DecidedCall,
): Extract<RunEvent, { type: 'approval_decided' }> | undefined {
  const { approval } = call;
  if (approval !== 'approved' && approval !== 'rejected' && approval !== 'expired') return undefined;
  return {
    type: 'approval_decided',
    tool_call_id: call.callId,
    tool_name: call.name,
    decision: approval,
    by: call.decidedBy,
    reason: call.approvalReason,
    ...(call.originalArguments === null ? {} : { arguments: parsedArguments(call.arguments) }),
  };
}

/** Arguments that were admitted, so an object; a text of white space only stands for none. */
export function parsedArguments(rawArguments: string): Record<string, unknown> {
  return rawArguments.trim() === '' ? {} : (JSON.parse(rawArguments) as Record<string, unknown>);
}

/** The result of a call that a person has rejected: what the model goes on from. */
export function rejectedText(reason: string | null): string {
  const why = reason === null ? 'No reason was given.' : `The reason: ${reason}`;
  return `Error: a person has rejected this call. Nothing was executed. ${why}\nDo not ask for the same call again; go on in another way, or say what is still to be done.`;
}

/** The result of a call of which nobody decided in time. */
export const EXPIRED_TEXT =
  'Error: this call needs the approval of a person, and nobody decided in time. Nothing was executed. Go on without it, or say what is still to be done.';

/** Before the result of a call that was executed with other arguments than the model's. */
export function editedNote(rawArguments: string): string {
  return `Note: a person changed the arguments of this call before it was executed. Executed with: ${rawArguments}\n`;
}
