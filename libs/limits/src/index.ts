export {
  chooseLimits,
  keepLimits,
  limitsToChoose,
  raiseLimits,
  readPlan,
  stillChosen,
  withAdjustments,
  type Adjusted,
  type Adjustment,
  type AskedTurn,
  type ChosenLimits,
  type Plan,
} from './adaptive';
export { admitCalls, type Admission, type BudgetHit, type CallRequest } from './admission';
export { isSwitchedOff, type CallBudget, type CallCounts } from './budgets';
export { changedLimits, type ChangedLimits, type LimitChange } from './change';
export {
  amountText,
  spentOn,
  priceOf,
  toAmount,
  toMoney,
  withCost,
  type Money,
  type TokenSums,
} from './cost';
export {
  ASSUMED_OUTPUT_TOKENS,
  assumedOutput,
  costStanding,
  priceOfCall,
  type CallSize,
  type CostRoom,
  type CostStanding,
} from './cost-limit';
export { effectiveLimits, effectiveLimitsSchema, secondsBound, type EffectiveLimits } from './effective';
export { estimateRun, PAST_RUNS, pastRun, typicalOutput, type PastRun, type RunEstimate } from './estimate';
export { deadlineMs, failsAfter, nextCall, type NextCall, type Standing } from './next-call';
export { reachedAtEnd, reachedByCalls, reachedByModelCall, reachedKey, type LimitReached } from './reached';
export { followRepeats, type CallOutcome, type Repeat, type Repeats } from './repeats';
export {
  exhaustedBudget,
  remainingOf,
  SESSION_BUDGET_RANGES,
  sessionBudgetSchema,
  sessionRoom,
  TOTAL_OF,
  type SessionBudget,
  type SessionRoom,
  type SessionTotals,
} from './session-budget';
export { sessionStanding, type SessionStanding } from './session-standing';
export { exceededLine, limitsFigures } from './report';
export {
  LIMIT_FIELDS,
  COST_RANGE,
  LIMIT_RANGES,
  ON_LIMIT_REACHED,
  requestedLimits,
  requestedLimitsSchema,
  type OnLimitReached,
  type RequestedLimits,
} from './request';
export {
  closingInstruction,
  emptyAnswerText,
  failureText,
  iterationsCause,
  noTimeText,
  notExecutedText,
  stoppedByTimeText,
  timeCause,
  type EndingCause,
  type FailingCause,
  type LimitCause,
} from './texts';
