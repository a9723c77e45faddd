/** Longest part of a statement that tells its kind. */
const SHOWN_CHARS = 70;
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/** Counts the statements in what clients send to Postgres. */
export class StatementCounter {
  onStatement: ((statement: string) => void) | undefined;

  /** For the bytes of one connection, in order. */
  reader(): (bytes: Buffer) => void {
    let waiting: Buffer = Buffer.alloc(0);
    // The start-up message is the only one without a type.
    let typeBytes = 0;
    return (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      while (waiting.length >= typeBytes + LENGTH_BYTES) {
        const end = typeBytes + waiting.readUInt32BE(typeBytes);
        if (waiting.length < end) return;
        if (typeBytes > 0) this.take(waiting.subarray(0, end));
        waiting = waiting.subarray(end);
        typeBytes = TYPE_BYTES;
      }
    };
  }

  /** A simple query has its text after the length; a parsed one first the name it is kept under. */
  private take(message: Buffer): void {
    const type = String.fromCharCode(message[0] ?? 0);
    if (type !== 'Q' && type !== 'P') return;
    const texts = message.toString('utf8', TYPE_BYTES + LENGTH_BYTES).split('\0');
    const text = (type === 'Q' ? texts[0] : texts[1]) ?? '';
    this.onStatement?.(text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_CHARS));
  }
}
