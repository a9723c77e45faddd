import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { LoggingModule, type Logger } from '@copilot/observability';
import { PersistenceModule } from '@copilot/persistence';
import { QueuesModule } from '@copilot/queues';
import { AuthModule } from './auth/auth.module';
import { ChatModule } from './chat/chat.module';
import { DashboardModule } from './dashboard/dashboard.module';
import { ErrorFilter } from './errors/error.filter';
import { EventsModule } from './events/events.module';
import { HealthModule } from './health/health.module';
import { ModelConfigsModule } from './llm-model-configs/model-configs.module';
import { RunsModule } from './runs/runs.module';
import { SessionBudgetsModule } from './session-budgets/session-budgets.module';
import { SessionsModule } from './sessions/sessions.module';
import { SseModule } from './sse/sse.module';
import { SkillsModule } from './skills/skills.module';
import { DEFAULT_SSE_TIMES } from './sse/sse-stream';
import type { Settings } from './settings';
import { BodyPipe } from './validation/body.pipe';

/** Requests hold a connection for milliseconds only; streams hold none. */
const POOL_SIZE = 10;

@Module({})
export class AppModule {
  static register(settings: Settings, logger: Logger, sseTimes = DEFAULT_SSE_TIMES): DynamicModule {
    return {
      module: AppModule,
      imports: [
        LoggingModule.register(logger),
        PersistenceModule.register({
          url: settings.DATABASE_URL,
          secretKeys: settings.SECRET_KEY,
          poolSize: POOL_SIZE,
          onError: (error) => logger.warn({ err: error }, 'postgres connection failed'),
        }),
        QueuesModule.forGateway(settings.REDIS_URL),
        EventsModule.register({
          redisUrl: settings.REDIS_URL,
          endedTtlSeconds: settings.EVENT_TTL_SECONDS,
          logger,
        }),
        AuthModule.register(settings),
        SseModule.register(sseTimes),
        ChatModule,
        RunsModule.register(settings),
        SessionsModule,
        ModelConfigsModule.register(settings.MODEL_ALLOWED_HOSTS),
        SessionBudgetsModule,
        SkillsModule.register(settings.SKILLS_DIR),
        HealthModule,
        DashboardModule,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: BodyPipe },
      ],
    };
  }
}
