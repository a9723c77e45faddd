import type { TelnetTransport } from './telnet-transport';
import { TerminalText } from './terminal-text';

/** What came of a wait. */
export type ScreenChange = 'text' | 'quiet' | 'closed' | 'aborted';

/** A console as a person would see it: lines that are complete, and the one the cursor is on. */
export class ConsoleScreen {
  readonly #terminal = new TerminalText();

  constructor(private readonly transport: TelnetTransport) {}

  get current(): string {
    return this.#terminal.current;
  }

  get lines(): readonly string[] {
    return this.#terminal.lines;
  }

  takeLines(): string[] {
    return this.#terminal.takeLines();
  }

  clearLine(): void {
    this.#terminal.clearLine();
  }

  send(text: string): void {
    this.transport.write(text);
  }

  /** Waits for output, at most `waitMs`, and puts it on the screen. */
  async next(waitMs: number, signal: AbortSignal): Promise<ScreenChange> {
    const received = await this.transport.receive(waitMs, signal);
    if (received.kind !== 'text') return received.kind;
    const reply = this.#terminal.feed(received.text);
    if (reply !== '') this.transport.write(reply);
    return 'text';
  }

  /** Waits until output has come and then none for `quietMs`, at most `waitMs` for its beginning. */
  async burst(waitMs: number, quietMs: number, signal: AbortSignal): Promise<ScreenChange> {
    const deadlineMs = Date.now() + MAX_BURST_MS;
    let change = await this.next(waitMs, signal);
    const first = change;
    while (change === 'text' && Date.now() < deadlineMs) change = await this.next(quietMs, signal);
    return change === 'quiet' ? first : change;
  }

  close(): void {
    this.transport.close();
  }
}

/** A console that never falls silent is looked at from time to time all the same. */
const MAX_BURST_MS = 2_000;
