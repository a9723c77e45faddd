import type { RunEvent } from '@copilot/contracts';

/** Both are on every frame. */
export interface FrameIds {
  readonly session_id: string;
  readonly run_id: string;
}

interface ToolCallPart {
  readonly id: string;
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    /** All of the argument text so far, not what was added. */
    readonly arguments: string;
    readonly complete?: true;
  };
}

/** A frame without the ids: the event as it is, but for a tool call. */
type FrameBody =
  Exclude<RunEvent, { type: 'tool_call' }> | { readonly type: 'tool_call'; readonly tool_call: ToolCallPart };

export type Frame = FrameBody & FrameIds;

interface OpenCall {
  readonly name: string;
  readonly arguments: string;
}

/**
 * Turns a run's log entries into frames, one for each. It must be shown every entry from the start, also
 * those whose frames are not wanted: a tool call's frame carries the whole argument text up to then.
 */
export class FrameSequence {
  private readonly openCalls = new Map<string, OpenCall>();

  constructor(private readonly ids: FrameIds) {}

  next(event: RunEvent): Frame {
    return { ...this.body(event), ...this.ids };
  }

  private body(event: RunEvent): FrameBody {
    if (event.type === 'tool_call') return { type: 'tool_call', tool_call: this.toolCall(event) };
    // The model call that was under way is lost, and begins again.
    if (event.type === 'attempt') this.openCalls.clear();
    return event;
  }

  private toolCall(event: Extract<RunEvent, { type: 'tool_call' }>): ToolCallPart {
    const before = this.openCalls.get(event.tool_call_id);
    const call = {
      name: before?.name ?? event.name,
      arguments: (before?.arguments ?? '') + event.arguments_delta,
    };
    if (event.complete) this.openCalls.delete(event.tool_call_id);
    else this.openCalls.set(event.tool_call_id, call);
    return {
      id: event.tool_call_id,
      type: 'function',
      function: { ...call, ...(event.complete ? { complete: true } : {}) },
    };
  }
}

/** Besides what JSON escapes anyway, everything that some line splitter takes for a line's end. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** A frame as an SSE event: its cursor, if it has one, and exactly one data line. */
export function sseEvent(frame: Frame, cursor: string | undefined): string {
  const json = JSON.stringify(frame).replace(
    LINE_ENDS,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${cursor === undefined ? '' : `id: ${cursor}\n`}data: ${json}\n\n`;
}
