const IAC = 255;
const DONT = 254;
const DO = 253;
const WONT = 252;
const WILL = 251;
const SB = 250;
const SE = 240;
const ECHO = 1;
const SUPPRESS_GO_AHEAD = 3;
const CR = 13;
const NUL = 0;

type State = 'data' | 'command' | 'option' | 'sub' | 'sub-command';

/**
 * The telnet protocol of a console connection. It never begins a negotiation: some consoles are raw serial
 * lines, where the bytes of one would be typed into the device. It only answers: the other side may echo and
 * suppress go-ahead, everything else is declined. Commands may be cut anywhere between two reads.
 */
export class TelnetFilter {
  #state: State = 'data';
  #command = 0;
  #afterCr = false;
  readonly #theirs = new Set<number>();
  readonly #ours = new Set<number>();

  /** Splits received bytes into the device's data and the answers that must be sent. */
  receive(bytes: Uint8Array): { data: Uint8Array; reply: Uint8Array } {
    const data: number[] = [];
    const reply: number[] = [];
    for (const byte of bytes) this.take(byte, data, reply);
    return { data: Uint8Array.from(data), reply: Uint8Array.from(reply) };
  }

  /** Text as bytes for the wire. */
  encode(text: string): Uint8Array {
    const bytes = new TextEncoder().encode(text);
    return bytes.includes(IAC)
      ? Uint8Array.from([...bytes].flatMap((b) => (b === IAC ? [IAC, IAC] : [b])))
      : bytes;
  }

  private take(byte: number, data: number[], reply: number[]): void {
    switch (this.#state) {
      case 'data':
        this.takeData(byte, data);
        return;
      case 'command':
        this.takeCommand(byte, data);
        return;
      case 'option':
        this.#state = 'data';
        this.answer(byte, reply);
        return;
      case 'sub':
        if (byte === IAC) this.#state = 'sub-command';
        return;
      case 'sub-command':
        this.#state = byte === SE ? 'data' : 'sub';
    }
  }

  private takeData(byte: number, data: number[]): void {
    if (byte === IAC) {
      this.#state = 'command';
      return;
    }
    // A bare carriage return travels as CR NUL.
    if (!(this.#afterCr && byte === NUL)) data.push(byte);
    this.#afterCr = byte === CR;
  }

  private takeCommand(byte: number, data: number[]): void {
    if (byte === IAC) data.push(IAC);
    this.#command = byte;
    this.#state = byte === SB ? 'sub' : byte >= WILL && byte <= DONT ? 'option' : 'data';
  }

  private answer(option: number, reply: number[]): void {
    switch (this.#command) {
      case WILL:
        if (option !== ECHO && option !== SUPPRESS_GO_AHEAD) reply.push(IAC, DONT, option);
        else if (switchOn(this.#theirs, option)) reply.push(IAC, DO, option);
        return;
      case DO:
        if (option !== SUPPRESS_GO_AHEAD) reply.push(IAC, WONT, option);
        else if (switchOn(this.#ours, option)) reply.push(IAC, WILL, option);
        return;
      case WONT:
        if (this.#theirs.delete(option)) reply.push(IAC, DONT, option);
        return;
      case DONT:
        if (this.#ours.delete(option)) reply.push(IAC, WONT, option);
    }
  }
}

/** Only a change is answered, or two sides could agree for ever. */
function switchOn(options: Set<number>, option: number): boolean {
  if (options.has(option)) return false;
  options.add(option);
  return true;
}
