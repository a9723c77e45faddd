import { isAIMessage, isToolMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';

export interface OpenCallKey {
  readonly callId: string;
  readonly name: string;
}

/**
 * Calls of the conversation that nobody answered, because their run was killed or cancelled. A provider
 * refuses such a history, so the next run answers them before its own message.
 */
export function openCalls(messages: readonly BaseMessage[]): OpenCallKey[] {
  const answered = new Set(messages.filter(isToolMessage).map((message) => message.tool_call_id));
  return messages
    .filter(isAIMessage)
    .flatMap((message) =>
      (message.tool_calls ?? []).flatMap(({ id, name }) =>
        id !== undefined && !answered.has(id) ? [{ callId: id, name }] : [],
      ),
    );
}

const NO_RESULT =
  'No result: the run ended before this call was answered. It may or may not have taken effect; check the device before you repeat it.';

export function closingMessage(
  { callId, name }: OpenCallKey,
  output: string | null | undefined,
): ToolMessage {
  return new ToolMessage({
    id: `closed/${callId}`,
    tool_call_id: callId,
    name,
    content: output ?? NO_RESULT,
    ...(output === null || output === undefined ? { status: 'error' as const } : {}),
  });
}
