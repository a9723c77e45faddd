export { ApprovalsRepository, type Decided, type Decision } from './approvals/approvals.repository';
export { checkpointer, claimedCheckpointer, threadId } from './checkpointer/checkpointer';
export type { Conversation, ConversationMessage } from './checkpointer/conversation';
export { ClaimLostError, type Claim } from './claim';
export { checkDatabase, checkDatabaseAt, connect, isDatabaseUnavailable, type Connection } from './database';
export { migrate } from './migrate';
export {
  ModelConfigsRepository,
  VersionConflictError,
  type ConfigOwner,
  type ModelConfigChange,
  type NewModelConfig,
} from './model-configs/model-configs.repository';
export { DATABASE, PersistenceModule } from './persistence.module';
export { IdempotencyConflictError } from './runs/idempotency';
export { SessionBusyError } from './runs/multitask';
export {
  RunControlRepository,
  type LimitsUpdate,
  type RunStanding,
  type Settling,
} from './runs/run-control.repository';
export {
  RunIntake,
  type AcceptedRun,
  type ApprovalRules,
  type NewRun,
  type RunLimits,
} from './runs/run-intake';
export {
  RunsRepository,
  type ClaimedRun,
  type Enqueueing,
  type LimitStep,
  type RunOutcome,
} from './runs/runs.repository';
export {
  RunReapingRepository,
  type CallPlace,
  type LiveRun,
  type Redelivery,
} from './runs/run-reaping.repository';
export { RunTokens } from './runs/run-tokens';
export type {
  LabLogin,
  LimitsChange,
  ModelConfigRow,
  RunRow,
  SessionRow,
  ToolCallRow,
  ToolCallStatus,
} from './schema';
export { ConversationsRepository } from './sessions/conversations.repository';
export { SecretBox, SecretUnreadableError } from './secret-box';
export { SessionBudgetsRepository, type BudgetedSession } from './sessions/session-budgets.repository';
export { SessionBudgetError, sessionTotals } from './sessions/session-totals';
export { SessionNotFoundError } from './sessions/open-session';
export type { SessionKey } from './sessions/session-key';
export { SessionsRepository, type RunMessage, type SessionHistory } from './sessions/sessions.repository';
export { SkillSetsRepository } from './skills/skill-sets.repository';
export { storableText } from './storable-text';
export {
  ToolCallsRepository,
  type ClaimedToolCall,
  type EndedToolCallStatus,
  type NewToolCall,
} from './tool-calls/tool-calls.repository';
