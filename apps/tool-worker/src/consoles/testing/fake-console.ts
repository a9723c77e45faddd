import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a fake device can do on its console. */
export interface FakeIo {
  write(text: string): void;
  writeBytes(...bytes: number[]): void;
  /** Writes after a pause, as a slow device does. */
  later(ms: number, text: string): void;
  end(): void;
}

export interface FakeDevice {
  /** Called for every connection. */
  greet?(io: FakeIo): void;
  /** Called with every key; true means that the device has dealt with it and it is not echoed. */
  key?(char: string, io: FakeIo): boolean;
  /** Called with every line that was ended by a carriage return. */
  line(line: string, io: FakeIo): void;
  /** False for a device that shows nothing of what is typed. */
  echo?: boolean;
  /** True for a device that loses a carriage return which arrives behind other characters. */
  enterAtChunkStart?: boolean;
}

/** A telnet console on loopback whose device is a script; keeps every byte that it was sent. */
export class FakeConsole {
  readonly lines: string[] = [];
  readonly #bytes: number[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(private readonly server: Server) {}

  static async start(device: FakeDevice, port = 0): Promise<FakeConsole> {
    const server = createServer();
    const console = new FakeConsole(server);
    server.on('connection', (socket) => console.serve(socket, device));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return console;
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the fake console is not listening');
    return (address satisfies AddressInfo).port;
  }

  /** Everything that was received, one character a byte. */
  get received(): string {
    return String.fromCharCode(...this.#bytes);
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Writes to everyone connected; resolves when this process has had the chance to read it. */
  async say(text: string): Promise<void> {
    for (const socket of this.#sockets) {
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
    }
    for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private serve(socket: Socket, device: FakeDevice): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    const io: FakeIo = {
      write: (text) => void socket.write(text),
      writeBytes: (...bytes) => void socket.write(Uint8Array.from(bytes)),
      later: (ms, text) => void this.#timers.add(setTimeout(() => socket.write(text), ms)),
      end: () => void socket.end(),
    };
    let typed = '';
    socket.on('data', (bytes) => {
      this.#bytes.push(...bytes);
      for (const [index, char] of [...bytes.toString('latin1')].entries()) {
        if (char === '\r' && index > 0 && device.enterAtChunkStart === true) continue;
        if (device.key?.(char, io) === true) continue;
        if (char !== '\r') {
          typed += char;
          if (device.echo !== false) io.write(char);
          continue;
        }
        const line = typed;
        typed = '';
        this.lines.push(line);
        device.line(line, io);
      }
    });
    device.greet?.(io);
  }
}
