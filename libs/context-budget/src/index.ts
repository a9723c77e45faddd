export { ENCODINGS, TokenCounter, tokenCounter, type Encoding } from './counting/token-counter';
export { runNow, runYielding, type Steps } from './counting/steps';
export {
  contentText,
  type AssistantMessage,
  type BudgetMessage,
  type BudgetTool,
  type Content,
  type ContentBlock,
  type HistoryMessage,
  type SystemMessage,
  type ToolCall,
  type ToolMessage,
  type UserMessage,
} from './messages/message';
export { MessageCounter, TokenCountError, toolJson, type TextCounter } from './messages/message-counter';
export { MEDIA_TOKENS, MESSAGE_OVERHEAD_TOKENS } from './messages/message-texts';
export { inputBudget, outputReserve, oversizedTokens, type ContextConfig } from './prepare/budget';
export { fallbackHistory } from './prepare/fallback';
export type {
  ContextOutcome,
  ContextReport,
  ContextTooLarge,
  ContextWarning,
  PreparedContext,
} from './prepare/outcome';
export { prepareContext, prepareContextAsync, type ContextRequest } from './prepare/prepare-context';
export { summaryBudget } from './prepare/summary';
export { summarySource, unsummarized } from './prepare/summary-source';
export { NO_TOPOLOGY, TOPOLOGY_PLACEHOLDER, type SystemPrompt } from './prepare/system-text';
export {
  contextLearningSchema,
  isNews,
  learnedRatio,
  learnFromCall,
  learnFromOverflow,
  NOTHING_LEARNED,
  readLearning,
  type ContextLearning,
} from './learning/context-learning';
export { contextEventFigures, type ContextEventFigures } from './report/context-event';
export {
  callCompletedLine,
  contextLines,
  countingLine,
  limitMissingText,
  usedPercent,
} from './report/log-lines';
export { fitTopology, type Topology, type TopologyEnd, type TopologyNode } from './topology/topology-summary';
