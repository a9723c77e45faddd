import { endEvents, toolEndEvent, type RunEvent } from '@copilot/contracts';
import type { ConversationMessage, RunRow, ToolCallRow } from '@copilot/persistence';

type KnownCall = Pick<ToolCallRow, 'callId' | 'name' | 'arguments' | 'startedAt' | 'output'>;

interface Known {
  readonly run: Pick<RunRow, 'stopReason' | 'errorCode' | 'errorMessage' | 'usage'>;
  /** What the run has added to the conversation. */
  readonly messages: readonly ConversationMessage[];
  readonly calls: readonly KnownCall[];
}

/**
 * The events of an ended run whose log is gone, as far as its rows and the conversation know them: what the model
 * said, whole; its calls and their results; the end.
 */
export function retoldEvents({ run, messages, calls }: Known): RunEvent[] {
  const rows = new Map(calls.map((call) => [call.callId, call]));
  const events: RunEvent[] = [{ type: 'run', queue_position: 0 }];
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    if (message.text !== '') events.push({ type: 'content', content: message.text });
    const made = message.toolCalls.map((asked) => rows.get(asked.id) ?? withoutRow(asked, messages));
    events.push(...callEvents(made));
    for (const { callId } of made) rows.delete(callId);
  }
  return [...events, ...callEvents([...rows.values()]), ...endEvents(run)];
}

function callEvents(calls: readonly KnownCall[]): RunEvent[] {
  return [...calls.map(requestOf), ...calls.flatMap(outcomeOf)];
}

function requestOf({ callId, name, arguments: text }: KnownCall): RunEvent {
  return { type: 'tool_call', tool_call_id: callId, name, arguments_delta: text, complete: true };
}

function outcomeOf(call: KnownCall): RunEvent[] {
  const { callId, name, startedAt, output } = call;
  return [
    ...(startedAt === null ? [] : [{ type: 'tool_start' as const, tool_call_id: callId, tool_name: name }]),
    ...(output === null ? [] : [toolEndEvent(call, output)]),
  ];
}

/** A call that ended with its run before it was stored; a later run has answered it in the conversation. */
function withoutRow(
  { id, name, args }: ConversationMessage['toolCalls'][number],
  messages: readonly ConversationMessage[],
): KnownCall {
  const answer = messages.find(({ toolCallId }) => toolCallId === id);
  return {
    callId: id,
    name,
    arguments: JSON.stringify(args),
    startedAt: null,
    output: answer?.text ?? null,
  };
}
