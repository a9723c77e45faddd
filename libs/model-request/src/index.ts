export { fromBudgetMessage, toBudgetMessage } from './budget-messages';
export { expectedInputTokens, fitRequest, toolsOf, type ModelTool, type RequestParts } from './fit-request';
export {
  builtInPrompt,
  promptsOf,
  promptsWithoutTopology,
  readBuiltInPrompts,
  type Prompts,
} from './prompt-files';
export { promptTopology } from './prompt-topology';
export { messageCounter, yieldToEventLoop } from './token-counting';
