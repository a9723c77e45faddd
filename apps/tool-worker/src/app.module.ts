import type { RunSignals } from '@copilot/events';
import { LabAccess } from '@copilot/gns3';
import { LoggingModule, type Logger } from '@copilot/observability';
import {
  PersistenceModule,
  RunControlRepository,
  RunTokens,
  SkillSetsRepository,
  ToolCallsRepository,
} from '@copilot/persistence';
import { Drain, QueuesModule } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import { Module, type DynamicModule } from '@nestjs/common';
import { SETTINGS, type Settings } from './settings';
import type { ForbiddenPatterns } from './commands/forbidden';
import { RunWatches } from './tool-calls/run-watch';
import { ToolCallAnnouncer } from './tool-calls/tool-call-announcer';
import { ToolCallExecutor } from './tool-calls/tool-call-executor';
import { ToolCallProcessor } from './tool-calls/tool-call.processor';
import { ToolBox } from './tools/tool-box';
import { forbiddenInForce } from './tools/forbidden-in-force';
import type { ToolServices } from './tools/tool-context';

/** A call needs a connection only for moments at its start and its end. */
const POOL_SIZE = 10;

@Module({})
export class AppModule {
  static register(
    settings: Settings,
    log: Logger,
    redis: RedisClient,
    signals: RunSignals,
    {
      ownForbidden,
      ...tools
    }: Omit<ToolServices, 'lab' | 'forbidden'> & { readonly ownForbidden: ForbiddenPatterns | null },
  ): DynamicModule {
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
          provide: LabAccess,
          inject: [RunTokens],
          useFactory: (tokens: RunTokens) => labAccess(settings, tokens),
        },
        {
          provide: ToolCallExecutor,
          inject: [ToolCallsRepository, RunControlRepository, LabAccess, SkillSetsRepository, Drain],
          useFactory: (
            calls: ToolCallsRepository,
            control: RunControlRepository,
            lab: LabAccess,
            skills: SkillSetsRepository,
            { drained }: Drain,
          ) =>
            new ToolCallExecutor({
              calls,
              watches: new RunWatches(signals, (runId) => control.standing(runId), log),
              tools: new ToolBox({
                ...tools,
                lab,
                forbidden: async () => forbiddenInForce(ownForbidden, await skills.current()),
              }),
              log,
              drained,
              announcer: new ToolCallAnnouncer(redis, settings.EVENT_TTL_SECONDS),
            }),
        },
      ],
    };
  }
}

function labAccess({ GNS3_URL, GNS3_USERNAME, GNS3_PASSWORD }: Settings, tokens: RunTokens): LabAccess {
  return new LabAccess({
    baseUrl: GNS3_URL,
    service: { username: GNS3_USERNAME, password: GNS3_PASSWORD },
    tokenOf: (runId) => tokens.open(runId),
  });
}
