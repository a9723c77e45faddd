/** Thrown into a device's program when its power goes; the console ends it without a word. */
export class PowerOff extends Error {}

const CTRL_C = '\x03';
const CTRL_U = '\x15';
const CTRL_W = '\x17';
const CTRL_Z = '\x1a';
const CTRL_CARET = '\x1e';

/** A client that never stops typing must not fill the memory. */
const MAX_BUFFERED_KEYS = 65536;
const MAX_LINE_LENGTH = 512;

export type LineEnd = 'enter' | 'ctrl-c' | 'ctrl-z' | 'help';

export interface TypedLine {
  readonly text: string;
  readonly end: LineEnd;
}

export interface LineOptions {
  /** A password is not echoed. */
  readonly echo?: boolean;
  readonly completions?: (before: string) => string[];
  /** Ends the line at once at `?`, as IOS does. */
  readonly helpKey?: boolean;
  /** Text that the line starts with: what was typed before `?`. */
  readonly initial?: string;
}

/**
 * The keyboard and screen of a device, shared by every client of its console. A program reads keys in a
 * straight line; keys that come while it works wait, as they do in a serial port's buffer.
 */
export class Terminal {
  private readonly keys: string[] = [];
  private waiting: { resolve: (key: string) => void; reject: (error: Error) => void } | undefined;
  private interruptWaiting: (() => void) | undefined;
  private line: { readonly prompt: string; text: string } | undefined;
  private announcements: string[] = [];

  constructor(
    private readonly write: (text: string) => void,
    private readonly power: AbortSignal,
  ) {
    power.addEventListener('abort', () => this.waiting?.reject(new PowerOff()), { once: true });
  }

  /** Keys from a client. An interrupt key while the program works goes to what it waits for. */
  type(text: string): void {
    for (const key of text) {
      if (this.interruptWaiting && (key === CTRL_C || key === CTRL_CARET)) {
        this.keys.length = 0;
        this.interruptWaiting();
      } else if (this.waiting) {
        const { resolve } = this.waiting;
        this.waiting = undefined;
        resolve(key);
      } else if (this.keys.length < MAX_BUFFERED_KEYS) {
        this.keys.push(key);
      }
    }
  }

  /** A message that the device logs to its console by itself; a line being typed is written again after it. */
  announce(message: string): void {
    if (this.line) this.print(`\n${message}\n${this.line.prompt}${this.line.text}`);
    else if (this.waiting) this.print(`\n${message}\n`);
    else this.announcements.push(message);
  }

  print(text: string): void {
    if (!this.power.aborted) this.write(text.replaceAll('\n', '\r\n'));
  }

  async readKey(): Promise<string> {
    if (this.power.aborted) throw new PowerOff();
    const key = this.keys.shift();
    if (key !== undefined) return key;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  async readLine(prompt: string, options: LineOptions = {}): Promise<TypedLine> {
    const line = { prompt, text: options.initial ?? '' };
    this.print(prompt + line.text);
    this.line = line;
    for (const message of this.announcements.splice(0)) this.announce(message);
    const typed = await this.readKeys(line, options);
    this.line = undefined;
    return typed;
  }

  /** Waits; false when an interrupt key ended the wait. */
  async pause(delayMs: number): Promise<boolean> {
    if (this.power.aborted) throw new PowerOff();
    return new Promise((resolve, reject) => {
      const settle = (done: () => void): void => {
        clearTimeout(timer);
        this.power.removeEventListener('abort', onPowerOff);
        this.interruptWaiting = undefined;
        done();
      };
      const onPowerOff = (): void => settle(() => reject(new PowerOff()));
      const timer = setTimeout(() => settle(() => resolve(true)), delayMs);
      this.power.addEventListener('abort', onPowerOff, { once: true });
      this.interruptWaiting = () => settle(() => resolve(false));
    });
  }

  private async readKeys(line: { text: string }, options: LineOptions): Promise<TypedLine> {
    for (;;) {
      const key = await this.readKey();
      const { text } = line;
      if (key === '\r' || key === '\n') {
        this.print('\n');
        return { text, end: 'enter' };
      }
      if (key === CTRL_C || key === CTRL_Z) {
        this.print(key === CTRL_C ? '\n' : '^Z\n');
        return { text, end: key === CTRL_C ? 'ctrl-c' : 'ctrl-z' };
      }
      if (key === '?' && options.helpKey) {
        this.print('?\n');
        return { text, end: 'help' };
      }
      line.text = this.edit(text, key, options);
    }
  }

  private edit(text: string, key: string, { echo = true, completions }: LineOptions): string {
    const shown = (part: string): string => (echo ? part : '');
    if (key === '\b' || key === '\x7f') {
      if (text === '') return text;
      this.print(shown('\b \b'));
      return text.slice(0, -1);
    }
    if (key === CTRL_U || key === CTRL_W) {
      const kept = key === CTRL_U ? '' : text.replace(/\S*\s*$/, '');
      this.print(shown('\b \b'.repeat(text.length - kept.length)));
      return kept;
    }
    if (key === '\t') {
      const words = completions?.(text) ?? [];
      const started = /\S*$/.exec(text)?.[0] ?? '';
      const rest = words.length === 1 && started !== '' ? `${words[0]?.slice(started.length) ?? ''} ` : '';
      this.print(shown(rest));
      return text + rest;
    }
    if (key < ' ' || text.length >= MAX_LINE_LENGTH) return text;
    this.print(shown(key));
    return text + key;
  }
}
