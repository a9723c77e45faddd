import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Binds and frees a port: the number that was bound, or null when it cannot be. Port 0 is "any free one". */
function tryBind(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host, exclusive: true }, () => {
      const { port: bound } = server.address();
      server.close(() => resolve(bound));
    });
  });
}

export const freePort = () => tryBind(0, '127.0.0.1');

export const isFreePort = async (port, host) => (await tryBind(port, host)) !== null;

const LISTEN = '0A';

/** TCP ports that anybody listens on here, as the kernel lists them. Linux only. */
export function listeningPorts() {
  const rows = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1),
  );
  const sockets = rows.map((row) => row.trim().split(/\s+/)).filter((columns) => columns[3] === LISTEN);
  return new Set(sockets.map((columns) => Number.parseInt(columns[1].split(':')[1], 16)));
}
