import type { LabCommand } from '../../e2e/support/demo-lab';
import type { SeenFrame, SentMessage, Viewing } from '../clients/sent-message';
import type { ModelRecord } from '../world/chaos-model';

/** A run as its row has it once all is over. Times are milliseconds by the database's clock. */
export interface RunFact {
  readonly runId: string;
  readonly key: string | null;
  readonly message: string;
  readonly session: string;
  readonly sequence: number;
  readonly status: string;
  readonly stopReason: string | null;
  readonly errorCode: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

export interface CallFact {
  readonly runId: string;
  readonly callId: string;
  readonly status: string;
  readonly output: string | null;
}

/** What a fresh viewer of a run is sent at the end, and how many entries its log has. */
export interface Replay {
  readonly runId: string;
  readonly frames: readonly SeenFrame[];
  readonly logEntries: number;
}

/** What the stores still hold of the work. Each must be empty. */
export interface Leftovers {
  readonly unfinishedRuns: readonly string[];
  readonly claimedRuns: readonly string[];
  readonly openCalls: readonly string[];
  readonly callerTokens: number;
  readonly sessionsWithOldCheckpoints: number;
  readonly openTransactions: number;
  /** `queue state: count`, of states that are not those of ended jobs. */
  readonly jobs: readonly string[];
  readonly keysWithoutExpiry: readonly string[];
  readonly subscriptions: readonly string[];
  /** Connections to Redis beyond those that the processes had when they were ready. */
  readonly extraConnections: number;
}

/** All that the rules judge by, gathered when everything is over. */
export interface Evidence {
  readonly messages: readonly SentMessage[];
  readonly runs: readonly RunFact[];
  readonly calls: readonly CallFact[];
  readonly commands: readonly LabCommand[];
  readonly viewings: readonly Viewing[];
  readonly replays: readonly Replay[];
  readonly model: ModelRecord;
  readonly left: Leftovers;
}

/** A rule names what it holds, and says of each breach what it is and which run or chat it concerns. */
export interface Rule {
  readonly name: string;
  readonly breaches: (evidence: Evidence) => string[];
}

export function runOf({ runs }: Evidence, { runIds }: SentMessage): RunFact | undefined {
  return runs.find(({ runId }) => runId === runIds[0]);
}
