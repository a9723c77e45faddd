import type { RunEvent } from '@copilot/contracts';
import { RunEventWriter, type RunSignals, type WriterFence } from '@copilot/events';
import type { Logger } from '@copilot/observability';
import { sessionTotals, type ClaimedRun, type RunControlRepository } from '@copilot/persistence';
import type { RedisClient } from '@copilot/redis';
import type { AgentSession } from '../graph/agent-session';
import type { AgentSessions } from '../graph/agent-sessions';
import { RunRules } from '../graph/run-rules';
import { RunPublisher } from './run-publisher';

interface Dependencies {
  readonly control: RunControlRepository;
  readonly sessions: AgentSessions;
  readonly signals: RunSignals;
  readonly redis: RedisClient;
  readonly log: Logger;
  readonly eventTtlSeconds: number;
  /** Aborted at the end of the drain: the step under way is given up. */
  readonly drained: AbortSignal;
}

/** What this worker has of a run while it holds a claim of it: its rules, its way into the log, its graph. */
export class RunHold {
  readonly log: Logger;
  readonly rules: RunRules;
  readonly publisher: RunPublisher;
  private readonly refused = new AbortController();
  private readonly stopListening: () => void;

  constructor(
    readonly claimed: ClaimedRun,
    private readonly lockLost: AbortSignal,
    private readonly its: Dependencies,
  ) {
    const { claim, run, session } = claimed;
    this.log = its.log.child({ runId: claim.runId, sessionId: session.sessionId, attempt: claim.attempt });
    this.rules = new RunRules(
      {
        effectiveLimits: run.effectiveLimits,
        cancelRequested: run.cancelRequestedAt !== null,
        ended: false,
        deadlineAt: run.deadlineAt,
        elapsedMs: claimed.elapsedMs,
        remainingMs: claimed.remainingMs,
        session: { budget: session.budget, totals: sessionTotals(session) },
      },
      () => its.control.standing(claim.runId),
    );
    const fence = { writer: 'agent', attempt: claim.attempt } as const;
    this.publisher = new RunPublisher(this.writer(fence), (error) => this.refused.abort(error));
    this.stopListening = its.signals.listen(claim.runId, () => this.look());
  }

  /** Opens the graph. Rejects with RunError when the run's model config cannot be worked with. */
  open(): Promise<AgentSession> {
    return this.its.sessions.open(this.claimed, {
      publish: (event: RunEvent) => this.publisher.publish(event),
      flush: () => this.publisher.flush(),
      publishOnce: async (key, ...events) => {
        await this.publisher.flush();
        await this.writer({ writer: `once:${key}`, attempt: 0 }).append(...events);
      },
      signal: AbortSignal.any([this.lockLost, this.its.drained, this.refused.signal]),
      log: this.log,
      rules: this.rules,
    });
  }

  close(): void {
    this.stopListening();
    this.rules.clock.stop();
  }

  /** A signal is read about at once; one that could not be is caught up with before the next step. */
  private look(): void {
    this.rules.refresh().catch((err: unknown) => this.log.warn({ err }, 'a signal could not be read about'));
  }

  private writer(fence: WriterFence): RunEventWriter {
    return new RunEventWriter(this.its.redis, this.claimed.claim.runId, fence, this.its.eventTtlSeconds);
  }
}

/** Makes the holds of this worker. */
export class RunHolds {
  constructor(private readonly its: Dependencies) {}

  of(claimed: ClaimedRun, lockLost: AbortSignal): RunHold {
    return new RunHold(claimed, lockLost, this.its);
  }
}
