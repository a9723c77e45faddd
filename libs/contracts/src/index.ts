export {
  decisionEvent,
  editedNote,
  EXPIRED_TEXT,
  parsedArguments,
  rejectedText,
  type ApprovalState,
  type DecidedCall,
} from './approvals/decision';
export {
  APPROVAL_TIMEOUT_SECONDS,
  approvalPolicySchema,
  NAMED_APPROVAL_POLICIES,
  needsApproval,
  storedApprovalPolicy,
  toolsToApprove,
  type ApprovalPolicy,
} from './approvals/policy';
export { previewOf, type DevicePreview } from './approvals/preview';
export { errorChain, type ErrorLink } from './error-chain';
export { RunError, RUN_ERROR_CODES, type RunErrorCode } from './errors';
export { endsLog, MAX_EVENT_OUTPUT_CHARS, runEventSchema, type RunEvent, type RunEventType } from './events';
export {
  executeRunJob,
  executeToolCallJob,
  QUEUES,
  reapJob,
  settleRunJob,
  type ExecuteRun,
  type ExecuteToolCall,
  type QueueName,
} from './jobs';
export { COPILOT_MODES, toCopilotMode, TOOLS_BY_MODE, type CopilotMode } from './modes';
export {
  CONTEXT_LIMIT_REQUIRED,
  CONTEXT_OVERFLOWS,
  CONTEXT_STRATEGIES,
  MODEL_TYPES,
  modelSettingsSchema,
  TOKENIZERS,
  type ContextOverflow,
  type ContextStrategy,
  type ModelSettings,
} from './model-config';
export {
  COMMAND_TIMEOUT_MS,
  HAND_OVER_GRACE_MS,
  HEARTBEAT_MS,
  JOB_LOCK_MS,
  MAX_REDELIVERIES,
  MAX_RUN_SECONDS,
  REAP_EVERY_MS,
  SETTLE_GRACE_MS,
  STALLED_CHECK_MS,
  TOOL_CALL_TIMEOUT_MS,
  TOPOLOGY_TIMEOUT_MS,
} from './policy';
export { PROMPT_NAMES, skillSetSchema, type PromptName, type SkillSet } from './skill-set';
export {
  CURRENCY_PATTERN,
  isPrice,
  modelPricesSchema,
  PRICE_RANGE,
  pricesOf,
  type ModelPrices,
} from './prices';
export {
  ADJUSTABLE_LIMITS,
  ENDED_RUN_STATUSES,
  isEnded,
  LIMIT_ACTIONS,
  LIMIT_NAMES,
  LOCAL_USER_ID,
  MAX_SESSION_ID_LENGTH,
  MULTITASK_STRATEGIES,
  NO_USAGE,
  RUN_STATUSES,
  SESSION_BUDGETS,
  STOP_REASONS,
  usageSchema,
  type AdjustableLimit,
  type EndedRunStatus,
  type LimitAction,
  type LimitName,
  type MultitaskStrategy,
  type RunStatus,
  type SessionBudgetName,
  type StopReason,
  type Usage,
} from './run';
export { judgeCall, type AdmittedCall, type CallVerdict } from './tools/call-verdict';
export {
  isToolName,
  TOOL_CATALOGUE,
  TOOL_NAMES,
  toolParameters,
  type ToolArgs,
  type ToolCategory,
  type ToolDefinition,
  type ToolEffect,
  type ToolName,
} from './tools/catalogue';
export { skippedByCancel, STOPPED_BY_CANCEL } from './tools/cancelled-call';
export type { DeviceCommandsResult, DeviceConfigResult, VpcsResult } from './tools/results';
export { splitCommands } from './tools/split-commands';
export { endEvents, toolEndEvent, type RunEnd } from './told-again';
