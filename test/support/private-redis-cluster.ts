import { setTimeout as sleep } from 'node:timers/promises';
import { connectPatient, type RedisClient } from '@copilot/redis';
import { freePort } from './free-port';
import { PrivateRedis } from './private-redis';

const SLOTS = 16_384;
/** After this without an answer a node counts as down for the others. */
const NODE_TIMEOUT_MS = 1_000;
const FORMED_WITHIN_MS = 20_000;

/** A Redis Cluster of a test's own: masters without replicas that share the slots evenly. */
export class PrivateRedisCluster {
  private constructor(
    readonly nodes: readonly PrivateRedis[],
    /** A connection to each node, to look at what is there. */
    readonly clients: readonly RedisClient[],
  ) {}

  /** `announcedFrom`: the nodes say that they listen on these ports and the next, as behind a NAT. */
  static async start(size: number, announcedFrom?: number): Promise<PrivateRedisCluster> {
    const busPorts = await Promise.all(Array.from({ length: size }, freePort));
    const nodes = await Promise.all(
      busPorts.map((port, n) =>
        PrivateRedis.start(
          ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(NODE_TIMEOUT_MS)],
          ...['--cluster-port', String(port)],
          ...(announcedFrom === undefined ? [] : ['--cluster-announce-port', String(announcedFrom + n)]),
        ),
      ),
    );
    const clients = nodes.map(({ url }) => connectPatient(url, () => undefined));
    const cluster = new PrivateRedisCluster(nodes, clients);
    try {
      await cluster.form(busPorts);
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  get url(): string {
    return `redis://${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  }

  /** Keys of each node. */
  keys(): Promise<string[][]> {
    return Promise.all(this.clients.map((client) => client.keys('*')));
  }

  /** The number of the node that has the slot of `key`. */
  async nodeOf(key: string): Promise<number> {
    const [client] = this.clients;
    const slot = Number(await client?.call('CLUSTER', 'KEYSLOT', key));
    return this.nodes.findIndex((_, n) => slot >= this.firstSlot(n) && slot < this.firstSlot(n + 1));
  }

  async remove(): Promise<void> {
    for (const client of this.clients) client.disconnect();
    await Promise.all(this.nodes.map((node) => node.remove()));
  }

  private firstSlot(node: number): number {
    return Math.floor((node * SLOTS) / this.nodes.length);
  }

  private async form(busPorts: readonly number[]): Promise<void> {
    const call = (node: number, ...args: (string | number)[]) => this.clients[node]?.call('CLUSTER', ...args);
    for (const n of this.nodes.keys()) {
      await call(n, 'SET-CONFIG-EPOCH', n + 1);
      await call(n, 'ADDSLOTSRANGE', this.firstSlot(n), this.firstSlot(n + 1) - 1);
    }
    for (const [n, node] of this.nodes.entries()) {
      if (n > 0) await call(0, 'MEET', '127.0.0.1', node.port, busPorts[n] ?? 0);
    }
    const deadline = Date.now() + FORMED_WITHIN_MS;
    while (!(await this.isFormed())) {
      if (Date.now() > deadline) throw new Error(`the cluster did not form within ${FORMED_WITHIN_MS} ms`);
      await sleep(50);
    }
  }

  private async isFormed(): Promise<boolean> {
    const infos = await Promise.all(this.clients.map((client) => client.call('CLUSTER', 'INFO')));
    return infos.every((info) => {
      const text = String(info);
      return text.includes('cluster_state:ok') && text.includes(`cluster_size:${this.nodes.length}`);
    });
  }
}
