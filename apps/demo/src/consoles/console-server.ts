import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Failures } from '../failures';
import type { Device } from '../lab/world';
import { encodeTelnet, OPENING_NEGOTIATION, TelnetDecoder } from './telnet-codec';

const MAX_CLIENTS = 64;
const MAX_WATCHED_LINE = 512;

/** A client that reads nothing is cut off before it fills the memory. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/** The telnet port of one device. Every client shares its one console, as in GNS3. */
export class ConsoleServer {
  private readonly clients = new Set<Socket>();
  private server: Server | undefined;
  private reservedPort = 0;
  private hungIn: number | undefined;

  constructor(
    private readonly device: Device,
    private readonly host: string,
    private readonly failures: Failures,
  ) {}

  /** The same port in every state of the device, as GNS3 keeps it. */
  get port(): number {
    return this.reservedPort;
  }

  async open(): Promise<void> {
    if (this.server) return;
    const server = createServer((socket) => this.accept(socket));
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.reservedPort, this.host, resolve);
    });
    const address = server.address();
    if (isAddress(address)) this.reservedPort = address.port;
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    for (const client of this.clients) client.destroy();
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  broadcast(text: string): void {
    const isHung = this.hungIn === this.failures.generation;
    if (isHung || this.failures.silencesConsole(this.device.name)) return;
    const bytes = encodeTelnet(text);
    for (const client of this.clients) {
      if (client.writableLength > MAX_UNREAD_BYTES) client.destroy();
      else client.write(bytes);
    }
  }

  private accept(socket: Socket): void {
    if (this.clients.size >= MAX_CLIENTS) {
      socket.destroy();
      return;
    }
    this.clients.add(socket);
    socket.setNoDelay(true);
    const decoder = new TelnetDecoder();
    const lines = new LineWatch();
    socket.on('close', () => this.clients.delete(socket));
    // A client that goes away in the middle of a write is no event of the lab.
    socket.on('error', () => socket.destroy());
    if (!this.failures.silencesConsole(this.device.name)) {
      socket.write(OPENING_NEGOTIATION);
      socket.write(encodeTelnet(this.device.greeting()));
    }
    socket.on('data', (chunk) => this.receive(socket, decoder.decode(chunk), lines));
  }

  private receive(socket: Socket, keys: string, watch: LineWatch): void {
    const { name } = this.device;
    if (this.failures.silencesConsole(name)) return;
    const lines = watch.completed(keys);
    if (lines.some((line) => this.failures.hangsConsole(name, line))) this.hungIn = this.failures.generation;
    this.device.type(keys);
    if (lines.some((line) => this.failures.dropsConsole(name, line))) socket.destroy();
  }
}

/** The lines that a client completes with its keys, for the failures that strike at a line. */
class LineWatch {
  private started = '';

  completed(keys: string): string[] {
    const lines = (this.started + keys).split(/[\r\n]/);
    this.started = (lines.pop() ?? '').slice(-MAX_WATCHED_LINE);
    return lines;
  }
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
