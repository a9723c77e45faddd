import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP link to a service that a test can cut and mend. */
export class FaultyLink {
  private readonly sockets = new Set<Socket>();
  private broken = false;

  private constructor(
    private readonly server: Server,
    private readonly port: number,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => this.join(client));
  }

  static async to(url: string): Promise<FaultyLink> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a listening server has a port');
    return new FaultyLink(server, address.port, new URL(url));
  }

  /** The service's URL by way of this link. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.toString();
  }

  /** Ends every connection and refuses new ones. */
  cut(): void {
    this.broken = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.broken = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    if (this.broken) {
      client.destroy();
      return;
    }
    const service = connect(Number(this.target.port), this.target.hostname);
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      this.sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
