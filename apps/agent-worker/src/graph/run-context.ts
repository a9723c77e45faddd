import type { CopilotMode, ModelPrices, ModelSettings, RunEvent } from '@copilot/contracts';
import type { Adjustment, EffectiveLimits, PastRun, RequestedLimits } from '@copilot/limits';
import type { Logger } from '@copilot/observability';
import type { Prompts } from '@copilot/model-request';
import type { ChatModel } from '../models/chat-model';
import type { ConfigLearning } from '../models/config-learning';
import type { RunClock } from './run-clock';

/** What the nodes of one run's graph work with. */
export interface RunContext {
  readonly runId: string;
  readonly projectId: string;
  readonly mode: CopilotMode;
  /** As they were when this claim began. */
  readonly prompts: Prompts;
  readonly model: ChatModel;
  readonly settings: ModelSettings;
  readonly learning: ConfigLearning;
  /** The session has only its default title. */
  readonly wantsTitle: boolean;
  /** As they hold at this moment: they may be changed while the run works. */
  readonly limits: EffectiveLimits;
  /** What the caller asked for; the rest is the service's to choose. */
  readonly requested: RequestedLimits;
  /** As they were when the run was accepted; null where its model config had none. */
  readonly prices: ModelPrices | null;
  readonly clock: RunClock;
  /** Aborted from outside: the step is given up, and done again by whoever takes the run. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Renders the lab's topology for the prompt. Rejects with RunError. */
  readTopology(signal: AbortSignal): Promise<string>;
  /** Reads again what holds for the run: limits, deadline, and whether it was cancelled. */
  refresh(): Promise<void>;
  /** Queues an event for the run's log; order is kept. */
  publish(event: RunEvent): void;
  /** Resolves once everything published is in the log. */
  flush(): Promise<void>;
  /** Writes events that a step done again must not write again; the key names them within the run. */
  publishOnce(key: string, ...events: readonly RunEvent[]): Promise<void>;
  /** The newest ended runs of the caller with this model. */
  pastRuns(): Promise<readonly PastRun[]>;
  /** Lets the run's row, and with it `limits`, say what the service has chosen. */
  storeAdjustments(adjustments: readonly Adjustment[]): Promise<void>;
}
