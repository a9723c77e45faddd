import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Connection } from '@copilot/persistence';
import { connectPatient, type RedisClient } from '@copilot/redis';
import { labCommands } from '../../e2e/support/demo-lab';
import { openStream } from '../../e2e/support/sse-client';
import type { World } from '../world/world';
import type { Leftovers, Replay } from './evidence';
import { callFacts, rowsLeft, runFacts } from './gather-rows';
import { redisBaseline, redisLeft, type RedisBaseline } from './gather-redis';

/** Connections end, subscriptions are given up and checkpoints deleted moments after the last viewer has left. */
const SETTLE_MS = 15_000;
const LOOK_AGAIN_MS = 250;
const REPLAYS_AT_ONCE = 8;

/** Reads what the rules judge by, past everything that is disturbed. */
export class Gathering {
  private constructor(
    private readonly world: World,
    private readonly database: Connection,
    private readonly redis: RedisClient,
    private readonly baseline: RedisBaseline,
  ) {}

  /** To be begun while all is well and nothing has been asked of the service. */
  static async begin(world: World): Promise<Gathering> {
    const redis = connectPatient(world.redis.url, () => undefined);
    const database = connect(world.databaseUrl, () => undefined, 2);
    return new Gathering(world, database, redis, await redisBaseline(redis));
  }

  async rows() {
    const { pool } = this.database;
    const [runs, calls, commands] = [
      await runFacts(pool),
      await callFacts(pool),
      await labCommands(this.world.lab),
    ];
    return { runs, calls, commands };
  }

  /** What a viewer that comes only now is sent of each run. */
  async replays(runIds: readonly string[]): Promise<Replay[]> {
    const replays: Replay[] = [];
    for (let first = 0; first < runIds.length; first += REPLAYS_AT_ONCE) {
      const page = runIds.slice(first, first + REPLAYS_AT_ONCE);
      replays.push(...(await Promise.all(page.map((runId, index) => this.replay(runId, index)))));
    }
    return replays;
  }

  /** What is left once everything has had the time to go, or what never went. */
  async left(): Promise<Leftovers> {
    for (const deadline = Date.now() + SETTLE_MS; ; await sleep(LOOK_AGAIN_MS)) {
      const left = {
        ...(await rowsLeft(this.database.pool)),
        ...(await redisLeft(this.redis, this.baseline)),
      };
      const clean = Object.values(left).every((item) =>
        typeof item === 'number' ? item === 0 : item.length === 0,
      );
      if (clean || Date.now() > deadline) return left;
    }
  }

  async end(): Promise<void> {
    this.redis.disconnect();
    await this.database.pool.end();
  }

  private async replay(runId: string, gateway: number): Promise<Replay> {
    const signal = AbortSignal.timeout(30_000);
    const frames: Replay['frames'][number][] = [];
    try {
      const stream = await openStream(this.world.chatUrl(gateway, `/runs/${runId}/events`));
      signal.addEventListener('abort', () => stream.close());
      let before: string | undefined;
      for await (const { id, data } of stream.frames) {
        frames.push({ id: id === before ? undefined : id, data });
        before = id;
      }
    } catch {
      // A run that has not ended keeps its stream open; its frames so far are the evidence.
    }
    return { runId, frames, logEntries: await this.redis.xlen(`{run:${runId}}:events`) };
  }
}
