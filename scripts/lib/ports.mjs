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
