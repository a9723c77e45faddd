import {
  NO_USAGE,
  type ModelPrices,
  type RunErrorCode,
  type StopReason,
  type Usage,
} from '@copilot/contracts';
import {
  ASSUMED_OUTPUT_TOKENS,
  withCost,
  type Adjustment,
  type ChosenLimits,
  type LimitCause,
  type Repeat,
} from '@copilot/limits';
import type { BaseMessage } from '@langchain/core/messages';
import { Annotation, messagesStateReducer } from '@langchain/langgraph';

/** A call that the newest assistant message asks for. */
export interface RequestedCall {
  readonly callId: string;
  readonly name: string;
  readonly rawArguments: string;
  /** What the conversation shows as its arguments. */
  readonly args: Record<string, unknown>;
  /** Why it will not be executed; it is answered with this. */
  readonly refusal?: string;
}

export interface CallResult {
  readonly callId: string;
  readonly name: string;
  readonly output: string;
  readonly failed: boolean;
  /** By a person: it was admitted, and then not executed after all. */
  readonly rejected: boolean;
  /** Further attempts that were made. */
  readonly retries: number;
}

export interface RunFailure {
  readonly code: RunErrorCode;
  readonly message: string;
}

/** What one run keeps beside the conversation; reset by the input of the next run. */
export interface RunProgress {
  readonly runId: string;
  /** Model calls so far, the title not among them. */
  readonly iterations: number;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  readonly requested: readonly RequestedCall[];
  /** How many of them may execute at once: as it was when the iteration began. */
  readonly width: number;
  /** Ends the run once the newest calls have their results. */
  readonly failure: RunFailure | null;
  /** What makes the next model call the closing one. */
  readonly forced: LimitCause | null;
  /** The limits that viewers have been told of. */
  readonly reached: readonly string[];
  readonly repeats: readonly Repeat[];
  /** Output of a model call of the caller's, for the price of the next one. */
  readonly typicalOutput: number;
  /** Limits that the service has chosen itself. */
  readonly chosen: ChosenLimits;
  /** Of them, what viewers and the row do not know yet: told from a checkpoint, so never two versions of it. */
  readonly untold: readonly Adjustment[];
}

/** What has fallen out of the model's window, in short; kept over the runs of a session. */
export interface RollingSummary {
  readonly text: string;
  /** Id of the last message in it. */
  readonly upTo: string | undefined;
  /** The run in which making it failed last. */
  readonly failedIn: string | undefined;
}

export function freshProgress(runId: string, prices: ModelPrices | null = null): RunProgress {
  return {
    runId,
    iterations: 0,
    usage: withCost(NO_USAGE, prices),
    stopReason: 'completed',
    requested: [],
    width: 1,
    failure: null,
    forced: null,
    reached: [],
    repeats: [],
    typicalOutput: ASSUMED_OUTPUT_TOKENS,
    chosen: {},
    untold: [],
  };
}

/** The conversation and the counters are in one checkpoint, so they can never disagree. */
export const AgentState = Annotation.Root({
  messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer, default: () => [] }),
  progress: Annotation<RunProgress>(),
  /** The lab as the prompt shows it; null when it could not be read. */
  topology: Annotation<string | null>({ reducer: (_, next) => next, default: () => null }),
  summary: Annotation<RollingSummary | null>({ reducer: (_, next) => next, default: () => null }),
  title: Annotation<string | null>({ reducer: (_, next) => next, default: () => null }),
});
export type AgentStateType = typeof AgentState.State;
export type AgentUpdate = typeof AgentState.Update;
