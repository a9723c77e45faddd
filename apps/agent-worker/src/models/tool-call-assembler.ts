import { randomUUID } from 'node:crypto';

/** One fragment of a tool call as a provider streams it. Providers leave out or garble any of the fields. */
export interface ToolCallFragment {
  readonly index?: number | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly args?: string | null | undefined;
}

export interface AssembledCall {
  /** Unique in the conversation; the provider's own id where that is. */
  readonly callId: string;
  readonly name: string;
  readonly rawArguments: string;
}

interface OpenCall {
  readonly callId: string;
  readonly index: number | undefined;
  readonly providerId: string | undefined;
  name: string;
  rawArguments: string;
}

/** A piece to show to viewers at once. */
export interface CallPiece {
  readonly callId: string;
  readonly name: string;
  readonly argumentsDelta: string;
}

/**
 * Puts the fragments of one model turn together into calls. Which call a fragment belongs to is told by its
 * id, else by its index, else it continues the newest call. Source: cases F1, F2, F3, F10, F11.
 */
export class ToolCallAssembler {
  private readonly calls: OpenCall[] = [];
  private readonly usedIds: Set<string>;

  /** `usedIds`: call ids that the conversation already has. */
  constructor(usedIds: Iterable<string> = []) {
    this.usedIds = new Set(usedIds);
  }

  add(fragment: ToolCallFragment): CallPiece {
    const providerId = usableId(fragment.id);
    const name = real(fragment.name) ?? '';
    const delta = fragment.args ?? '';
    const call = this.ownerOf(providerId, name, fragment.index) ?? this.open(providerId, fragment.index);
    if (call.name === '') call.name = name;
    call.rawArguments += delta;
    return { callId: call.callId, name: call.name, argumentsDelta: delta };
  }

  /** The calls in the order in which they began. */
  finish(): AssembledCall[] {
    return this.calls.map(({ callId, name, rawArguments }) => ({ callId, name, rawArguments }));
  }

  private ownerOf(
    providerId: string | undefined,
    name: string,
    index: number | undefined,
  ): OpenCall | undefined {
    const newest = this.calls.at(-1);
    if (index === undefined) {
      if (providerId !== undefined) return this.calls.find((call) => call.providerId === providerId);
      return name === '' ? newest : undefined;
    }
    const ofIndex = this.calls.filter((call) => call.index === index);
    if (providerId === undefined) return ofIndex.at(-1);
    return ofIndex.find((call) => call.providerId === providerId);
  }

  private open(providerId: string | undefined, index: number | undefined): OpenCall {
    const callId =
      providerId !== undefined && !this.usedIds.has(providerId) ? providerId : `call_${randomUUID()}`;
    this.usedIds.add(callId);
    const call: OpenCall = { callId, index, providerId, name: '', rawArguments: '' };
    this.calls.push(call);
    return call;
  }
}

/** An id is a key of ours and of the event log; one that is no plain short text is replaced. */
function usableId(id: string | null | undefined): string | undefined {
  const text = real(id);
  return text !== undefined && /^[\x21-\x7e]{1,200}$/.test(text) ? text : undefined;
}

/** Some providers fill the fields of a continuation with "null" or an empty text. */
function real(text: string | null | undefined): string | undefined {
  return text === null || text === undefined || text === '' || text === 'null' ? undefined : text;
}
