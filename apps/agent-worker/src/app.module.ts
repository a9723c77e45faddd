import type { RunSignals } from '@copilot/events';
import { LabAccess } from '@copilot/gns3';
import { LoggingModule, type Logger } from '@copilot/observability';
import {
  DATABASE,
  ModelConfigsRepository,
  PersistenceModule,
  RunsRepository,
  SkillSetsRepository,
  RunTokens,
  ToolCallsRepository,
  type Connection,
} from '@copilot/persistence';
import { Drain, QueuesModule } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import { Module, type DynamicModule } from '@nestjs/common';
import { AgentSessions } from './graph/agent-sessions';
import { ModelFactory } from './models/model-factory';
import { reaperProviders } from './reaper/reaper.providers';
import { runsProviders } from './runs/runs.providers';
import { SETTINGS, type Settings } from './settings';

@Module({})
export class AppModule {
  static register(settings: Settings, log: Logger, redis: RedisClient, signals: RunSignals): DynamicModule {
    return {
      module: AppModule,
      imports: [
        LoggingModule.register(log),
        QueuesModule.forAgentWorker(settings.REDIS_URL),
        PersistenceModule.register({
          url: settings.DATABASE_URL,
          secretKeys: settings.SECRET_KEY,
          poolSize: POOL_SIZE,
          onError: (error) => log.warn({ err: error }, 'database connection has a fault'),
        }),
      ],
      providers: [
        Drain,
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
          inject: [
            ModelFactory,
            LabAccess,
            DATABASE,
            ToolCallsRepository,
            RunsRepository,
            SkillSetsRepository,
          ],
          useFactory: (
            models: ModelFactory,
            lab: LabAccess,
            connection: Connection,
            toolCalls: ToolCallsRepository,
            runs: RunsRepository,
            skills: SkillSetsRepository,
          ) => new AgentSessions(models, lab, settings.GNS3_URL, connection, toolCalls, runs, skills),
        },
        ...runsProviders({ settings, log, redis, signals }),
        ...reaperProviders(log),
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
