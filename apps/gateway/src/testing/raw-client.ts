import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client on a bare socket, for what no HTTP library does: leaving at any moment, and never reading. */
export async function rawRequest(
  url: string,
  init: { method?: string; body?: unknown } = {},
): Promise<Socket> {
  const { hostname, port, host, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  const body = init.body === undefined ? '' : JSON.stringify(init.body);
  socket.write(
    [
      `${init.method ?? 'GET'} ${pathname} HTTP/1.1`,
      `host: ${host}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
  return socket;
}
