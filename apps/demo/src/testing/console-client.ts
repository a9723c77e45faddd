import { connect, type Socket } from 'node:net';

const LIMIT_MS = 5000;

/** A console client for tests: types lines and waits for what must appear. */
export class ConsoleClient {
  private seen = '';
  private check: (() => void) | undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.seen += readable(chunk);
      this.check?.();
    });
    socket.on('close', () => this.check?.());
    socket.on('error', () => socket.destroy());
  }

  static async connect(port: number): Promise<ConsoleClient> {
    const socket = connect(port, '127.0.0.1');
    const client = new ConsoleClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return client;
  }

  /** Types a line and returns what came up to the end of the pattern's match. */
  async ask(line: string, pattern: RegExp): Promise<string> {
    this.type(`${line}\r`);
    return this.until(pattern);
  }

  type(keys: string | Buffer): void {
    this.socket.write(keys);
  }

  async until(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no ${pattern} in ${JSON.stringify(this.seen)}`)),
        LIMIT_MS,
      );
      this.check = () => {
        const match = pattern.exec(this.seen);
        if (!match) return;
        clearTimeout(timer);
        this.check = undefined;
        const text = this.seen.slice(0, match.index + match[0].length);
        this.seen = this.seen.slice(text.length);
        resolve(text);
      };
      this.check();
    });
  }

  async closed(): Promise<void> {
    if (!this.socket.destroyed)
      await new Promise<void>((resolve) => this.socket.once('close', () => resolve()));
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Without negotiation and carriage returns, so that patterns can speak of lines. */
function readable(chunk: Buffer): string {
  const text = chunk.toString('latin1');
  return Buffer.from(text.replace(/\xff[\xfb-\xfe][\s\S]/g, ''), 'latin1')
    .toString('utf8')
    .replaceAll('\r', '');
}
