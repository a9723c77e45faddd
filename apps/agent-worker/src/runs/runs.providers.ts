import type { RunSignals } from '@copilot/events';
import type { Logger } from '@copilot/observability';
import {
  ApprovalsRepository,
  ConversationsRepository,
  RunControlRepository,
  RunsRepository,
  ToolCallsRepository,
} from '@copilot/persistence';
import { Drain, RunQueue } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import type { Provider } from '@nestjs/common';
import { AgentSessions } from '../graph/agent-sessions';
import { WORKER_NAME, type Settings } from '../settings';
import { ApprovalWait } from './approval-wait';
import { RunAnnouncer } from './run-announcer';
import { RunConclusion } from './run-conclusion';
import { RunEnding } from './run-ending';
import { RunExecutor } from './run-executor';
import { RunHolds } from './run-hold';
import { RunSettler } from './run-settler';
import { RunProcessor } from './run.processor';
import { StepFailures } from './step-failures';
import { ToolTurns } from './tool-turns';

interface Surroundings {
  readonly settings: Settings;
  readonly log: Logger;
  readonly redis: RedisClient;
  readonly signals: RunSignals;
}

/** What works on runs, put together. */
export function runsProviders({ settings, log, redis, signals }: Surroundings): Provider[] {
  const eventTtlSeconds = settings.EVENT_TTL_SECONDS;
  return [
    RunProcessor,
    {
      provide: RunAnnouncer,
      inject: [RunsRepository, ConversationsRepository, RunQueue],
      useFactory: (runs: RunsRepository, conversations: ConversationsRepository, queue: RunQueue) =>
        new RunAnnouncer({ runs, conversations, queue, redis, eventTtlSeconds, log }),
    },
    {
      provide: RunEnding,
      inject: [RunsRepository, RunAnnouncer],
      useFactory: (runs: RunsRepository, announcer: RunAnnouncer) => new RunEnding(runs, announcer),
    },
    {
      provide: RunHolds,
      inject: [RunControlRepository, AgentSessions, Drain],
      useFactory: (control: RunControlRepository, sessions: AgentSessions, { drained }: Drain) =>
        new RunHolds({ control, sessions, signals, redis, log, eventTtlSeconds, drained }),
    },
    {
      provide: ToolTurns,
      inject: [ToolCallsRepository],
      useFactory: (toolCalls: ToolCallsRepository) => new ToolTurns(toolCalls, redis, eventTtlSeconds),
    },
    {
      provide: ApprovalWait,
      inject: [ApprovalsRepository, ToolCallsRepository, RunQueue],
      useFactory: (approvals: ApprovalsRepository, toolCalls: ToolCallsRepository, queue: RunQueue) =>
        new ApprovalWait(approvals, toolCalls, queue, redis, eventTtlSeconds),
    },
    {
      provide: RunConclusion,
      inject: [ToolTurns, RunEnding],
      useFactory: (turns: ToolTurns, ending: RunEnding) => new RunConclusion(turns, ending),
    },
    {
      provide: StepFailures,
      inject: [RunEnding, Drain],
      useFactory: (ending: RunEnding, { drained }: Drain) => new StepFailures(ending, drained),
    },
    {
      provide: RunExecutor,
      inject: [
        RunsRepository,
        RunQueue,
        ToolTurns,
        ApprovalWait,
        RunHolds,
        RunConclusion,
        RunEnding,
        StepFailures,
        RunAnnouncer,
        Drain,
      ],
      useFactory: (
        runs: RunsRepository,
        queue: RunQueue,
        turns: ToolTurns,
        approvals: ApprovalWait,
        holds: RunHolds,
        conclusion: RunConclusion,
        ending: RunEnding,
        failures: StepFailures,
        announcer: RunAnnouncer,
        { draining }: Drain,
      ) =>
        new RunExecutor({
          ...{
            runs,
            queue,
            turns,
            approvals,
            holds,
            conclusion,
            ending,
            failures,
            announcer,
            redis,
            draining,
          },
          ...{ workerName: WORKER_NAME, eventTtlSeconds },
        }),
    },
    {
      provide: RunSettler,
      inject: [RunControlRepository, RunQueue, RunHolds, RunConclusion, StepFailures, RunAnnouncer],
      useFactory: (
        control: RunControlRepository,
        queue: RunQueue,
        holds: RunHolds,
        conclusion: RunConclusion,
        failures: StepFailures,
        announcer: RunAnnouncer,
      ) =>
        new RunSettler({
          ...{ control, queue, holds, conclusion, failures, announcer, redis },
          workerName: WORKER_NAME,
        }),
    },
  ];
}
