import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { connect, type Connection } from './database';
import { ApprovalsRepository } from './approvals/approvals.repository';
import { ModelConfigsRepository } from './model-configs/model-configs.repository';
import { RunControlRepository } from './runs/run-control.repository';
import { RunIntake } from './runs/run-intake';
import { RunReapingRepository } from './runs/run-reaping.repository';
import { RunTokens } from './runs/run-tokens';
import { RunsRepository } from './runs/runs.repository';
import { SecretBox } from './secret-box';
import { SessionsRepository } from './sessions/sessions.repository';
import { ConversationsRepository } from './sessions/conversations.repository';
import { SessionBudgetsRepository } from './sessions/session-budgets.repository';
import { SkillSetsRepository } from './skills/skill-sets.repository';
import { ToolCallsRepository } from './tool-calls/tool-calls.repository';

/** Injection token of the process's database connection. */
export const DATABASE = Symbol('DATABASE');

interface PersistenceOptions {
  readonly url: string;
  readonly secretKeys: string;
  readonly poolSize: number;
  readonly onError: (error: Error) => void;
}

@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(@Inject(DATABASE) private readonly connection: Connection) {}

  static register({ url, secretKeys, poolSize, onError }: PersistenceOptions): DynamicModule {
    const connection = connect(url, onError, poolSize);
    const secrets = new SecretBox(secretKeys);
    const tokens = new RunTokens(connection, secrets);
    return {
      module: PersistenceModule,
      global: true,
      providers: [
        { provide: DATABASE, useValue: connection },
        { provide: SecretBox, useValue: secrets },
        { provide: RunTokens, useValue: tokens },
        { provide: RunsRepository, useValue: new RunsRepository(connection) },
        { provide: RunIntake, useValue: new RunIntake(connection, tokens) },
        { provide: SessionsRepository, useValue: new SessionsRepository(connection) },
        { provide: ConversationsRepository, useValue: new ConversationsRepository(connection) },
        { provide: RunControlRepository, useValue: new RunControlRepository(connection) },
        { provide: RunReapingRepository, useValue: new RunReapingRepository(connection) },
        { provide: SessionBudgetsRepository, useValue: new SessionBudgetsRepository(connection) },
        { provide: ApprovalsRepository, useValue: new ApprovalsRepository(connection) },
        { provide: SkillSetsRepository, useValue: new SkillSetsRepository(connection) },
        { provide: ToolCallsRepository, useValue: new ToolCallsRepository(connection) },
        { provide: ModelConfigsRepository, useValue: new ModelConfigsRepository(connection, secrets) },
      ],
      exports: [
        DATABASE,
        SecretBox,
        RunsRepository,
        RunIntake,
        RunTokens,
        SessionsRepository,
        ConversationsRepository,
        RunControlRepository,
        RunReapingRepository,
        SessionBudgetsRepository,
        ApprovalsRepository,
        SkillSetsRepository,
        ToolCallsRepository,
        ModelConfigsRepository,
      ],
    };
  }

  /** Last of all: what drains still writes. */
  async onApplicationShutdown(): Promise<void> {
    await this.connection.pool.end();
  }
}
