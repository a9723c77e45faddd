export { admitCalls, type Admission, type BudgetHit, type CallRequest } from './admission';
export { isSwitchedOff, type CallBudget, type CallCounts } from './budgets';
export { changedLimits, type ChangedLimits, type LimitChange } from './change';
export { effectiveLimits, effectiveLimitsSchema, secondsBound, type EffectiveLimits } from './effective';
export { deadlineMs, failsAfter, nextCall, type NextCall, type Standing } from './next-call';
export { reachedAtEnd, reachedByCalls, reachedByModelCall, reachedKey, type LimitReached } from './reached';
export { followRepeats, type CallOutcome, type Repeat, type Repeats } from './repeats';
export { exceededLine, limitsFigures } from './report';
export {
  LIMIT_FIELDS,
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
