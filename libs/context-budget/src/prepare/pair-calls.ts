import type { AssistantMessage, HistoryMessage, ToolCall, ToolMessage } from '../messages/message';

/** What the model reads for a call that has no result. */
export const MISSING_RESULT =
  'No result: the run ended before this call was finished. It is unknown whether the call had an effect; check before you repeat it.';

/** An assistant message and the results found for its calls, by call index. */
interface OpenExchange {
  readonly assistant: AssistantMessage;
  readonly results: { readonly callIndex: number; readonly message: ToolMessage }[];
}

interface OpenCall {
  readonly exchange: OpenExchange;
  readonly callIndex: number;
}

/**
 * Puts every result right behind its call, drops results without a call, answers calls without a result, and
 * makes repeated or missing ids unique in pairs. Untouched messages stay the same objects.
 */
export function pairCalls(history: readonly HistoryMessage[]): HistoryMessage[] {
  const ids = new UniqueIds();
  return collectExchanges(history).flatMap((entry) =>
    'assistant' in entry ? closeExchange(entry, ids) : [entry],
  );
}

function collectExchanges(history: readonly HistoryMessage[]): (HistoryMessage | OpenExchange)[] {
  const entries: (HistoryMessage | OpenExchange)[] = [];
  const openCalls = new Map<string, OpenCall[]>();
  let latest: OpenExchange | undefined;
  for (const message of history) {
    if (message.role === 'tool') {
      const call = takeCall(message, openCalls, latest);
      call?.exchange.results.push({ callIndex: call.callIndex, message });
    } else if (message.role === 'assistant' && message.toolCalls.length > 0) {
      latest = { assistant: message, results: [] };
      entries.push(latest);
      openExchange(latest, openCalls);
    } else {
      entries.push(message);
    }
  }
  return entries;
}

/** The last call pushed is the first taken, so an id that repeats means the nearest exchange's first such call. */
function openExchange(exchange: OpenExchange, openCalls: Map<string, OpenCall[]>): void {
  for (let callIndex = exchange.assistant.toolCalls.length - 1; callIndex >= 0; callIndex--) {
    const id = exchange.assistant.toolCalls[callIndex]?.id ?? '';
    const calls = openCalls.get(id);
    if (calls) calls.push({ exchange, callIndex });
    else openCalls.set(id, [{ exchange, callIndex }]);
  }
}

function takeCall(
  { toolCallId }: ToolMessage,
  openCalls: ReadonlyMap<string, OpenCall[]>,
  latest: OpenExchange | undefined,
): OpenCall | undefined {
  const call = openCalls.get(toolCallId)?.pop();
  if (call || toolCallId !== '' || !latest) return call;
  // A result that lost its id can only belong to the exchange it stands in.
  const next = latest.assistant.toolCalls.find(
    (candidate, index) => candidate.id !== '' && !latest.results.some((found) => found.callIndex === index),
  );
  return next && openCalls.get(next.id)?.pop();
}

function closeExchange({ assistant, results }: OpenExchange, ids: UniqueIds): HistoryMessage[] {
  const calls = assistant.toolCalls.map((call) => withId(call, ids.claim(call.id)));
  const closed = results.map(({ callIndex, message }) => answering(message, calls[callIndex]));
  calls.forEach((call, callIndex) => {
    if (results.some((result) => result.callIndex === callIndex)) return;
    closed.push({ role: 'tool', toolCallId: call.id, name: call.name, content: MISSING_RESULT });
  });
  const same = calls.every((call, index) => call === assistant.toolCalls[index]);
  return [same ? assistant : { ...assistant, toolCalls: calls }, ...closed];
}

function withId(call: ToolCall, id: string): ToolCall {
  return call.id === id ? call : { ...call, id };
}

function answering(message: ToolMessage, call: ToolCall | undefined): ToolMessage {
  return !call || message.toolCallId === call.id ? message : { ...message, toolCallId: call.id };
}

/** Ids depend on what stands before them only, so they stay the same while a history grows. */
class UniqueIds {
  private readonly taken = new Set<string>();
  private readonly repeats = new Map<string, number>();

  claim(wanted: string): string {
    const base = wanted.trim() === '' ? 'call' : wanted;
    let id = wanted.trim() === '' ? `${base}_1` : wanted;
    for (let repeat = this.repeats.get(base) ?? 2; this.taken.has(id); repeat++) {
      id = `${base}_${repeat}`;
      this.repeats.set(base, repeat + 1);
    }
    this.taken.add(id);
    return id;
  }
}
