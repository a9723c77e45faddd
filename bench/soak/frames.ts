/** A frame as it came: its cursor, empty where it has none, and the whole text. */
export interface RawFrame {
  readonly id: string;
  readonly text: string;
}

/** Cuts a stream into frames without looking into them. Comments are left out. */
export class FrameCutter {
  private rest = '';

  /** Frames that `text` completes. */
  *take(text: string): Generator<RawFrame, void, undefined> {
    const parts = (this.rest + text).split('\n\n');
    this.rest = parts.pop() ?? '';
    for (const part of parts) {
      if (part.startsWith(':')) continue;
      yield { id: part.startsWith('id: ') ? part.slice(4, part.indexOf('\n')) : '', text: part };
    }
  }
}

/** Text of a message cannot have these characters: JSON escapes its quotes. */
export function isLast({ text }: RawFrame): boolean {
  return text.includes('"type":"done"');
}

/** The event as JSON; frames of the service have one data line. */
export function eventOf({ text }: RawFrame): Record<string, unknown> {
  const data = text.slice(text.indexOf('data: ') + 6);
  const event: unknown = JSON.parse(data);
  return typeof event === 'object' && event !== null ? { ...event } : {};
}
