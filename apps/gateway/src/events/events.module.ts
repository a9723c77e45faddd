import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { RunEventReader, WakeHub } from '@copilot/events';
import type { Logger } from '@copilot/observability';
import { connectFailFast, Subscriber, type RedisClient } from '@copilot/redis';
import { RunLogs } from './run-logs';

/** Injection token of the connection for commands whose caller waits for the answer. */
export const REDIS = Symbol('REDIS');

interface EventsOptions {
  readonly redisUrl: string;
  readonly endedTtlSeconds: number;
  readonly logger: Logger;
}

/** Access to the runs' event logs. */
@Module({})
export class EventsModule implements OnApplicationShutdown {
  constructor(
    @Inject(REDIS) private readonly redis: RedisClient,
    private readonly subscriber: Subscriber,
  ) {}

  static register({ redisUrl, endedTtlSeconds, logger }: EventsOptions): DynamicModule {
    const onError = (error: Error) => logger.warn({ err: error }, 'redis connection failed');
    return {
      module: EventsModule,
      global: true,
      providers: [
        { provide: REDIS, useFactory: () => connectFailFast(redisUrl, onError) },
        { provide: Subscriber, useFactory: () => new Subscriber(redisUrl, onError) },
        {
          provide: WakeHub,
          inject: [Subscriber],
          useFactory: (subscriber: Subscriber) => new WakeHub(subscriber),
        },
        {
          provide: RunEventReader,
          inject: [REDIS, WakeHub],
          useFactory: (redis: RedisClient, wakes: WakeHub) => new RunEventReader(redis, wakes),
        },
        {
          provide: RunLogs,
          inject: [REDIS],
          useFactory: (redis: RedisClient) => new RunLogs(redis, endedTtlSeconds),
        },
      ],
      exports: [REDIS, WakeHub, RunEventReader, RunLogs],
    };
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
    this.subscriber.close();
  }
}
