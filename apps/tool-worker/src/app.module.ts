import { LoggingModule, type Logger } from '@copilot/observability';
import { PersistenceModule, ToolCallsRepository } from '@copilot/persistence';
import { Drain, QueuesModule } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import { Module, type DynamicModule } from '@nestjs/common';
import { SETTINGS, type Settings } from './settings';
import { ToolCallAnnouncer } from './tool-calls/tool-call-announcer';
import { ToolCallExecutor } from './tool-calls/tool-call-executor';
import { ToolCallProcessor } from './tool-calls/tool-call.processor';
import { ToolBox } from './tools/tool-box';

/** A call needs a connection only for moments at its start and its end. */
const POOL_SIZE = 10;

@Module({})
export class AppModule {
  static register(settings: Settings, log: Logger, redis: RedisClient, tools: ToolBox): DynamicModule {
    return {
      module: AppModule,
      imports: [
        LoggingModule.register(log),
        QueuesModule.forWorker(settings.REDIS_URL),
        PersistenceModule.register({
          url: settings.DATABASE_URL,
          secretKeys: settings.SECRET_KEY,
          poolSize: POOL_SIZE,
          onError: (error) => log.warn({ err: error }, 'database connection has a fault'),
        }),
      ],
      providers: [
        Drain,
        ToolCallProcessor,
        { provide: SETTINGS, useValue: settings },
        {
          provide: ToolCallExecutor,
          inject: [ToolCallsRepository, Drain],
          useFactory: (calls: ToolCallsRepository, { drained }: Drain) =>
            new ToolCallExecutor({
              calls,
              tools,
              log,
              drained,
              announcer: new ToolCallAnnouncer(redis, settings.EVENT_TTL_SECONDS),
            }),
        },
      ],
    };
  }
}
