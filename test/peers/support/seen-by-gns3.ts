import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** RFC 6455: what a server adds to the key of a handshake. */
const WEB_SOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT_FRAME = 0x81;

/** A server in the GNS3 server's place that answers with what reached it, and a word to each web socket. */
export class SeenByGns3 {
  private constructor(
    private readonly server: Server,
    private readonly webSockets: ReadonlySet<Duplex>,
  ) {}

  static async start(): Promise<SeenByGns3> {
    const webSockets = new Set<Duplex>();
    const server = createServer((request, response) => {
      let bytes = 0;
      request.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ server: 'gns3', bytes, ...seen(request) }));
      });
    });
    server.on('upgrade', (request, socket) => {
      webSockets.add(socket);
      const accept = createHash('sha1')
        .update(`${request.headers['sec-websocket-key']}${WEB_SOCKET_GUID}`)
        .digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      const word = Buffer.from(`gns3 ${request.url}`);
      socket.write(Buffer.concat([Buffer.from([TEXT_FRAME, word.length]), word]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SeenByGns3(server, webSockets);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.webSockets) socket.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const seen = ({ method, url, headers }: IncomingMessage) => ({ method, url, headers });
