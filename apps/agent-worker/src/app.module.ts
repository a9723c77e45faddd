import { LabAccess } from '@copilot/gns3';
import { LoggingModule, type Logger } from '@copilot/observability';
import {
  DATABASE,
  ModelConfigsRepository,
  PersistenceModule,
  RunsRepository,
  RunTokens,
  ToolCallsRepository,
  type Connection,
} from '@copilot/persistence';
import { Drain, QueuesModule, RunQueue } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import { Module, type DynamicModule } from '@nestjs/common';
import { AgentSessions } from './graph/agent-sessions';
import { ModelFactory } from './models/model-factory';

import { RunAnnouncer } from './runs/run-announcer';
import { RunExecutor } from './runs/run-executor';
import { RunProcessor } from './runs/run.processor';
import { SETTINGS, WORKER_NAME, type Settings } from './settings';

@Module({})
export class AppModule {
  static register(settings: Settings, log: Logger, redis: RedisClient): DynamicModule {
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
        RunProcessor,
        { provide: SETTINGS, useValue: settings },
        {
          provide: LabAccess,
          inject: [RunTokens],
          useFactory: (tokens: RunTokens) => labAccess(settings, tokens),
        },
        {
          provide: ModelFactory,
          inject: [ModelConfigsRepository],
          useFactory: (configs: ModelConfigsRepository) =>
            new ModelFactory(configs, settings.MODEL_ALLOWED_HOSTS),
        },
        {
          provide: AgentSessions,
          inject: [ModelFactory, LabAccess, DATABASE, ToolCallsRepository, RunsRepository],
          useFactory: (
            models: ModelFactory,
            lab: LabAccess,
            connection: Connection,
            toolCalls: ToolCallsRepository,
            runs: RunsRepository,
          ) => new AgentSessions(models, lab, settings.GNS3_URL, connection, toolCalls, runs),
        },
        {
          provide: RunAnnouncer,
          inject: [RunsRepository, RunQueue],
          useFactory: (runs: RunsRepository, queue: RunQueue) =>
            new RunAnnouncer(runs, queue, redis, settings.EVENT_TTL_SECONDS),
        },
        {
          provide: RunExecutor,
          inject: [RunsRepository, ToolCallsRepository, AgentSessions, RunAnnouncer, Drain],
          useFactory: (
            runs: RunsRepository,
            toolCalls: ToolCallsRepository,
            sessions: AgentSessions,
            announcer: RunAnnouncer,
            { draining, drained }: Drain,
          ) =>
            new RunExecutor({
              runs,
              toolCalls,
              sessions,
              announcer,
              redis,
              log,
              draining,
              drained,
              workerName: WORKER_NAME,
              eventTtlSeconds: settings.EVENT_TTL_SECONDS,
            }),
        },
      ],
    };
  }
}

/** Every claim, checkpoint and row of up to AGENT_CONCURRENCY runs goes through these connections. */
const POOL_SIZE = 20;

function labAccess({ GNS3_URL, GNS3_USERNAME, GNS3_PASSWORD }: Settings, tokens: RunTokens): LabAccess {
  return new LabAccess({
    baseUrl: GNS3_URL,
    service: { username: GNS3_USERNAME, password: GNS3_PASSWORD },
    tokenOf: (runId) => tokens.open(runId),
  });
}
