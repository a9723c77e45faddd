import { connect, type Socket } from 'node:net';
import { ConsoleError } from './console-error';
import { TelnetFilter } from './telnet-filter';

export interface ConsoleAddress {
  host: string;
  port: number;
}

/** What a wait for output ended with. */
export type Received =
  { kind: 'text'; text: string } | { kind: 'quiet' } | { kind: 'closed' } | { kind: 'aborted' };

/** Output nobody has read yet; beyond this the device is made to wait. */
const MAX_UNREAD_CHARS = 1_000_000;

/** One TCP connection to a console: telnet commands filtered out, bytes decoded, every wait bounded. */
export class TelnetTransport {
  readonly #filter = new TelnetFilter();
  // Replaces bytes that are not UTF-8, and keeps a character that is cut between two reads.
  readonly #decoder = new TextDecoder();
  #unread = '';
  #closed = false;
  #wake: (() => void) | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (bytes) => this.onData(bytes));
    socket.on('error', () => this.onClosed());
    socket.on('close', () => this.onClosed());
    socket.on('end', () => this.onClosed());
  }

  /** Throws a `ConsoleError` that tells a refused connection, which a booting node gives, from the others. */
  static async connect(
    address: ConsoleAddress,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<TelnetTransport> {
    if (signal.aborted) throw aborted();
    const socket = connect({ host: address.host, port: address.port });
    return new Promise((resolve, reject) => {
      const fail = (error: ConsoleError) => {
        settle();
        socket.destroy();
        reject(error);
      };
      const onError = (error: NodeJS.ErrnoException) => fail(connectError(error.code));
      const onAbort = () => fail(aborted());
      const timer = setTimeout(() => fail(connectError('ETIMEDOUT')), timeoutMs);
      const onConnect = () => {
        settle();
        resolve(new TelnetTransport(socket));
      };
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        socket.off('connect', onConnect);
        socket.off('error', onError);
        // A destroyed socket may still report an error, which must not end the process.
        socket.on('error', () => undefined);
      };
      socket.once('connect', onConnect);
      socket.once('error', onError);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(text: string): void {
    if (!this.#closed) this.socket.write(this.#filter.encode(text));
  }

  /** Output as soon as there is some, or why there is none: quiet for `waitMs`, closed, or aborted. */
  async receive(waitMs: number, signal: AbortSignal): Promise<Received> {
    if (this.#unread === '' && !this.#closed && !signal.aborted) await this.change(waitMs, signal);
    if (this.#unread !== '') {
      const text = this.#unread;
      this.#unread = '';
      this.socket.resume();
      return { kind: 'text', text };
    }
    if (signal.aborted) return { kind: 'aborted' };
    return { kind: this.#closed ? 'closed' : 'quiet' };
  }

  close(): void {
    this.socket.destroy();
    this.onClosed();
  }

  private change(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', settle);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(settle, waitMs);
      signal.addEventListener('abort', settle, { once: true });
      this.#wake = settle;
    });
  }

  private onData(bytes: Uint8Array): void {
    const { data, reply } = this.#filter.receive(bytes);
    if (reply.length > 0 && !this.#closed) this.socket.write(reply);
    this.#unread += this.#decoder.decode(data, { stream: true });
    if (this.#unread.length > MAX_UNREAD_CHARS) this.socket.pause();
    this.#wake?.();
  }

  private onClosed(): void {
    this.#closed = true;
    this.#wake?.();
  }
}

function aborted(): ConsoleError {
  return new ConsoleError('aborted', 'The call was stopped before the console was reached.');
}

function connectError(code: string | undefined): ConsoleError {
  return code === 'ECONNREFUSED'
    ? new ConsoleError('refused', 'The console refused the connection.')
    : new ConsoleError('unreachable', `The console could not be reached (${code ?? 'network error'}).`);
}
