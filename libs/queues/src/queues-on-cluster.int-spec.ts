import { connectPatient, type RedisClient } from '@copilot/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue, Worker } from 'bullmq';
import { PrivateRedisCluster } from '../../../test/support/private-redis-cluster';
import { QUEUE_PREFIX } from './worker-policy';

let cluster: PrivateRedisCluster;
let connection: RedisClient;
let queue: Queue;

beforeAll(async () => {
  cluster = await PrivateRedisCluster.start(3);
  connection = connectPatient(cluster.url, () => undefined);
  queue = new Queue('jobs', { connection, prefix: QUEUE_PREFIX });
  queue.on('error', () => undefined);
});

afterAll(async () => {
  await queue.close();
  connection.disconnect();
  await cluster.remove();
});

class Work {
  readonly done: string[] = [];
  readonly worker: Worker;
  private wake: (() => void) | undefined;

  constructor() {
    this.worker = new Worker('jobs', async ({ name }) => this.take(name), {
      connection,
      prefix: QUEUE_PREFIX,
      lockDuration: 2_000,
      stalledInterval: 1_000,
    });
    this.worker.on('error', () => undefined);
  }

  /** Adds a job and waits until it has been worked on. */
  async send(name: string): Promise<void> {
    await queue.add(name, {});
    while (!this.done.includes(name)) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  private take(name: string): void {
    this.done.push(name);
    this.wake?.();
  }
}

async function restart(nodes: PrivateRedisCluster['nodes']): Promise<void> {
  await Promise.all(nodes.map((node) => node.down()));
  await Promise.all(nodes.map((node) => node.up()));
}

describe('a worker on a cluster', () => {
  it('goes on after every node was away, one after another and all at once, and ends when it is told to', async () => {
    const work = new Work();
    await work.send('first');
    for (const [n, node] of cluster.nodes.entries()) {
      await restart([node]);
      await work.send(`after node ${n}`);
    }
    for (let round = 0; round < 3; round += 1) {
      await restart(cluster.nodes);
      await work.send(`after all, round ${round}`);
    }
    await work.worker.close();
    expect(new Set(work.done).size).toBe(7);
  });
});
