import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '@copilot/observability';
import { checkDatabase, DATABASE, type Connection } from '@copilot/persistence';
import { QueueHealth } from '@copilot/queues';
import { evictionPolicy, type RedisClient } from '@copilot/redis';
import { REDIS } from '../events/events.module';

/** A store that is slower than this is of no use to a request either. */
const CHECK_MS = 2_000;

/** The state of one thing that the gateway needs. */
export type Check =
  | ({ readonly status: 'up' } & Record<string, unknown>)
  | { readonly status: 'down'; readonly reason: string };

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<'redis' | 'postgres' | 'queues', Check>>;
}

@Injectable()
export class ReadinessService {
  constructor(
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(DATABASE) private readonly database: Connection,
    private readonly queues: QueueHealth,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async readiness(): Promise<Readiness> {
    const [redis, postgres, queues] = await Promise.all([
      this.check('redis', () => this.redisCheck()),
      this.check('postgres', async () => {
        await checkDatabase(this.database);
        return { status: 'up' };
      }),
      this.check('queues', async () => ({ status: 'up', jobs: await this.queues.counts() })),
    ]);
    const checks = { redis, postgres, queues };
    return { ready: Object.values(checks).every(({ status }) => status === 'up'), checks };
  }

  private async redisCheck(): Promise<Check> {
    const policy = await evictionPolicy(this.redis);
    return policy === 'noeviction'
      ? { status: 'up', maxmemory_policy: policy }
      : {
          status: 'down',
          reason: `maxmemory-policy is ${policy}, so jobs may be dropped; set it with: CONFIG SET maxmemory-policy noeviction`,
        };
  }

  /** The reason is for everybody to see, so details such as addresses are in the log only. */
  private async check(name: string, look: () => Promise<Check>): Promise<Check> {
    const over = new AbortController();
    try {
      const timeout = sleep(CHECK_MS, undefined, { signal: over.signal }).then(() => {
        throw new Error(`no answer within ${CHECK_MS} ms`);
      });
      timeout.catch(() => undefined);
      return await Promise.race([look(), timeout]);
    } catch (error) {
      this.logger.warn({ err: error, check: name }, 'not ready');
      return { status: 'down', reason: 'does not answer' };
    } finally {
      over.abort();
    }
  }
}
