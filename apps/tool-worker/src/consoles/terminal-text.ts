/** A line longer than this is broken: no device writes one, and memory must stay bounded. */
const MAX_LINE_CHARS = 20_000;
/** Columns that a cursor movement may go beyond the end of a line. */
const MAX_COLUMN = 500;
/** An escape sequence that has not ended by now is not one. */
const MAX_SEQUENCE_CHARS = 1_000;

type State = 'text' | 'escape' | 'csi' | 'string' | 'string-escape' | 'charset';

/**
 * What a terminal would show of a device's output, line by line. Applies backspaces, carriage returns and
 * cursor movements within a line, since devices use them to erase their pager and to redraw a command, and
 * drops colours, titles, bracketed paste and every other control. Sequences may be cut anywhere between two
 * calls of `feed`.
 */
export class TerminalText {
  readonly #lines: string[] = [];
  #cells: string[] = [];
  #column = 0;
  #state: State = 'text';
  #sequence = '';

  /** Takes the next piece of output. Returns what the terminal has to answer, for a cursor query. */
  feed(text: string): string {
    let reply = '';
    for (const char of text) reply += this.take(char);
    return reply;
  }

  /** The line the cursor is on, without trailing blanks. */
  get current(): string {
    return this.#cells.join('').trimEnd();
  }

  /** The lines that were ended since `takeLines`. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  takeLines(): string[] {
    return this.#lines.splice(0);
  }

  /** Empties the line under the cursor. */
  clearLine(): void {
    this.#cells = [];
    this.#column = 0;
  }

  private take(char: string): string {
    switch (this.#state) {
      case 'text':
        this.takeText(char);
        return '';
      case 'escape':
        this.#state = stateAfterEscape(char);
        return '';
      case 'charset':
        this.#state = 'text';
        return '';
      case 'string':
        if (char === '\x07') this.#state = 'text';
        else if (char === '\x1b') this.#state = 'string-escape';
        else this.bound();
        return '';
      case 'string-escape':
        this.#state = char === '\\' ? 'text' : 'string';
        return '';
      case 'csi':
        return this.takeCsi(char);
    }
  }

  private bound(): void {
    this.#sequence += '.';
    if (this.#sequence.length > MAX_SEQUENCE_CHARS) this.#state = 'text';
  }

  private takeText(char: string): void {
    switch (char) {
      case '\x1b':
        this.#state = 'escape';
        this.#sequence = '';
        return;
      case '\n':
        this.endLine();
        return;
      case '\r':
        this.#column = 0;
        return;
      case '\b':
        this.#column = Math.max(0, this.#column - 1);
        return;
      case '\t':
        this.write(' '.repeat(8 - (this.#column % 8)));
        return;
      default:
        if (char >= ' ' && char !== '\x7f') this.write(char);
    }
  }

  private write(text: string): void {
    while (this.#cells.length < this.#column) this.#cells.push(' ');
    for (const char of text) this.#cells[this.#column++] = char;
    if (this.#cells.length >= MAX_LINE_CHARS) this.endLine();
  }

  private endLine(): void {
    this.#lines.push(this.current);
    this.clearLine();
  }

  private takeCsi(char: string): string {
    if (char === '\x1b') {
      this.#state = 'escape';
      this.#sequence = '';
      return '';
    }
    if (char < '@' || char > '~') {
      this.#sequence += char;
      if (this.#sequence.length > MAX_SEQUENCE_CHARS) this.#state = 'text';
      return '';
    }
    this.#state = 'text';
    return this.apply(char, this.#sequence);
  }

  private apply(final: string, parameters: string): string {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 1);
    switch (final) {
      case 'C':
        this.#column = Math.min(this.#column + count, Math.max(this.#cells.length, MAX_COLUMN));
        return '';
      case 'D':
        this.#column = Math.max(0, this.#column - count);
        return '';
      case 'G':
        this.#column = Math.min(count - 1, MAX_COLUMN);
        return '';
      case 'H':
        this.#column = Math.min(Math.max(0, (Number(parameters.split(';')[1]) || 1) - 1), MAX_COLUMN);
        return '';
      case 'J':
      case 'K':
        this.erase(parameters);
        return '';
      case 'P':
        this.#cells.splice(this.#column, count);
        return '';
      case 'n':
        return parameters === '6' ? CURSOR_REPORT : '';
      default:
        return '';
    }
  }

  private erase(parameters: string): void {
    if (parameters === '2') this.#cells = [];
    else if (parameters === '1') this.#cells.fill(' ', 0, this.#column + 1);
    else this.#cells.length = Math.min(this.#cells.length, this.#column);
  }
}

/** Devices move the cursor far down and right and ask where it is, to learn the screen's size. */
const CURSOR_REPORT = '\x1b[200;250R';

function stateAfterEscape(char: string): State {
  if (char === '[') return 'csi';
  if (']PX^_'.includes(char)) return 'string';
  if ('()*+#% '.includes(char)) return 'charset';
  return 'text';
}
