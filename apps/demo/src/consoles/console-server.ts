import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Failures } from '../failures';
import type { Device } from '../lab/world';
import { encodeTelnet, OPENING_NEGOTIATION, TelnetDecoder } from './telnet-codec';

const MAX_CLIENTS = 64;

/** A client that reads nothing is cut off before it fills the memory. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/** The telnet port of one device. Every client shares its one console, as in GNS3. */
export class ConsoleServer {
  private readonly clients = new Set<Socket>();
  private server: Server | undefined;
  private reservedPort = 0;

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
    if (this.failures.silencesConsole(this.device.name)) return;
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
    socket.on('close', () => this.clients.delete(socket));
    // A client that goes away in the middle of a write is no event of the lab.
    socket.on('error', () => socket.destroy());
    if (!this.failures.silencesConsole(this.device.name)) {
      socket.write(OPENING_NEGOTIATION);
      socket.write(encodeTelnet(this.device.greeting()));
    }
    socket.on('data', (chunk) => this.receive(socket, decoder.decode(chunk)));
  }

  private receive(socket: Socket, keys: string): void {
    if (this.failures.silencesConsole(this.device.name)) return;
    this.device.type(keys);
    if (/[\r\n]/.test(keys) && this.failures.dropsConsole(this.device.name)) socket.destroy();
  }
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
