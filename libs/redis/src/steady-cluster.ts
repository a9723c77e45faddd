import type { EventEmitter } from 'node:events';
import { Cluster, type ClusterNode, type ClusterOptions } from 'ioredis';

/** Longer than ioredis itself waits before it connects again. */
const STUCK_AFTER_MS = 2_500;

/** A cluster client that always comes back, and always ends: see `keepSteady`. */
export function steadyCluster(nodes: ClusterNode[], options: ClusterOptions): Cluster {
  // The check of the whole cluster can leave `connect()` unsettled. A node tells by itself that the cluster is down.
  const client = new Cluster(nodes, { ...options, enableReadyCheck: false });
  keepSteady(client);
  return client;
}

interface ClusterClient extends Pick<EventEmitter, 'on' | 'emit'> {
  status: Cluster['status'];
  nodes(): unknown[];
  connect(): Promise<void>;
  disconnect(reconnect?: boolean): void;
  quit(): Promise<'OK'>;
  duplicate(nodes?: ClusterNode[], options?: ClusterOptions): ClusterClient;
}

/**
 * ioredis counts connections of a former life that end late as the end of the new one, and the client is then left
 * in `close` with nothing under way; BullMQ, which disconnects its blocking client and connects it again, waits
 * for that one for ever. And a client without a connection to any node never tells of the end that BullMQ's
 * shutdown waits for. BullMQ makes its own copies, so it all has to hold for them too.
 */
function keepSteady(client: ClusterClient): void {
  const connect = client.connect.bind(client);
  const disconnect = client.disconnect.bind(client);
  const quit = client.quit.bind(client);
  const duplicate = client.duplicate.bind(client);
  let leaving = false;

  const comeBackIfStuck = () => {
    const isStuck = client.status === 'close' || client.status === 'disconnecting';
    if (isStuck && !leaving) connect().catch(() => undefined);
  };
  for (const event of ['close', 'disconnecting']) {
    client.on(event, () => setTimeout(comeBackIfStuck, STUCK_AFTER_MS).unref());
  }

  Object.assign(client, {
    connect() {
      leaving = false;
      return connect();
    },
    disconnect(reconnect = false) {
      leaving = !reconnect;
      const tellsOfItsEnd = client.nodes().length > 0 || client.status === 'wait';
      disconnect(reconnect);
      if (reconnect || tellsOfItsEnd) return;
      client.status = 'end';
      process.nextTick(() => client.emit('end'));
    },
    quit() {
      leaving = true;
      return quit();
    },
    duplicate(...args: Parameters<ClusterClient['duplicate']>) {
      const copy = duplicate(...args);
      keepSteady(copy);
      return copy;
    },
  } satisfies Partial<ClusterClient>);
}
