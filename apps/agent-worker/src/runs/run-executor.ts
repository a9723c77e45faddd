import { NO_USAGE, type RunEvent } from '@copilot/contracts';
import { RunEventWriter } from '@copilot/events';
import { effectiveLimitsSchema } from '@copilot/limits';
import type { Logger } from '@copilot/observability';
import type {
  ClaimedRun,
  RunOutcome,
  RunsRepository,
  ToolCallRow,
  ToolCallsRepository,
} from '@copilot/persistence';
import type { DeliveryOutcome, RunDelivery } from '@copilot/queues';
import type { RedisClient } from '@copilot/redis';
import type { AgentSessions } from '../graph/agent-sessions';
import { RunClock } from '../graph/run-clock';
import type { CallResult } from '../graph/state';
import type { ToolInterrupt } from '../graph/nodes/await-tools.node';
import { lanesOf } from './lanes';
import type { RunAnnouncer } from './run-announcer';
import { isClaimLoss, isOperational, ResultsMissingError, toRunError } from './run-failure';
import { RunPublisher } from './run-publisher';

/** Claims within one delivery: one to find the calls, one to find that none of them had to be waited for. */
const MAX_ROUNDS = 100;

interface Dependencies {
  readonly runs: RunsRepository;
  readonly toolCalls: ToolCallsRepository;
  readonly sessions: AgentSessions;
  readonly announcer: RunAnnouncer;
  readonly redis: RedisClient;
  readonly log: Logger;
  readonly workerName: string;
  readonly eventTtlSeconds: number;
  /** Aborted on SIGTERM: no further step is begun. */
  readonly draining: AbortSignal;
  /** Aborted at the end of the drain: the step under way is given up. */
  readonly drained: AbortSignal;
}

/** One delivery of a run: claim it, advance its graph step by step, end it or give it up in order. */
export class RunExecutor {
  constructor(private readonly its: Dependencies) {}

  /** `round` counts the claims within one delivery: another one follows when nothing had to be waited for. */
  async execute(delivery: RunDelivery, lockLost: AbortSignal, round = 1): Promise<DeliveryOutcome> {
    const claimed = await this.its.runs.claim(delivery.ids, this.its.workerName);
    if (!claimed) {
      await this.its.announcer.announceEnd(delivery.ids.runId);
      return 'finished';
    }
    const { runId, attempt } = claimed.claim;
    const log = this.its.log.child({ runId, sessionId: claimed.session.sessionId, attempt });
    const clock = new RunClock(claimed);
    try {
      return await this.work(claimed, delivery, lockLost, round, { log, clock });
    } catch (error) {
      if (isClaimLoss(error)) {
        log.warn({ reason: String(error) }, 'run given up: another worker holds it');
        return 'finished';
      }
      if (lockLost.aborted) {
        // Never "finished": BullMQ also cancels by a job's id, so this may be a newer delivery to this very
        // worker that holds both lock and claim, and a job that completes here would be the run's last.
        log.warn({ reason: String(error) }, 'run given up: the lock on its job was lost');
        throw error;
      }
      if (this.its.drained.aborted) {
        // Not released: what viewers saw of the broken step is for the next worker to call off.
        await delivery.handBack();
        log.info('run handed back in the middle of a step');
        return 'handed-back';
      }
      if (isOperational(error)) {
        log.warn({ err: error }, 'run waits for a store to come back');
        throw error;
      }
      return await this.fail(claimed, error, log);
    } finally {
      clock.stop();
    }
  }

  private async work(
    claimed: ClaimedRun,
    delivery: RunDelivery,
    lockLost: AbortSignal,
    round: number,
    { log, clock }: { readonly log: Logger; readonly clock: RunClock },
  ): Promise<DeliveryOutcome> {
    const refused = new AbortController();
    const publisher = new RunPublisher(this.writerFor(claimed), (error) => refused.abort(error));
    const session = await this.its.sessions.open(claimed, {
      publish: (event: RunEvent) => publisher.publish(event),
      flush: () => publisher.flush(),
      publishOnce: async (key, ...events) => {
        await publisher.flush();
        const fence = { writer: `once:${key}`, attempt: 0 } as const;
        const { runId } = claimed.claim;
        await new RunEventWriter(this.its.redis, runId, fence, this.its.eventTtlSeconds).append(...events);
      },
      signal: AbortSignal.any([lockLost, this.its.drained, refused.signal]),
      log,
      limits: effectiveLimitsSchema.parse(claimed.run.effectiveLimits),
      clock,
    });
    if (claimed.run.attempt === 1) {
      log.info(auditFields(claimed), 'run started');
      await this.openLog(claimed);
    }

    for (let position = await session.position(); ;) {
      if (position.at === 'end') {
        await publisher.flush();
        return await this.finish(claimed, position.outcome, log);
      }
      if (this.its.draining.aborted) return await this.handBack(claimed, delivery);
      if (position.at === 'tools') {
        const results = await this.resultsOf(claimed, position.interrupt);
        if (!results) return await this.waitForTools(claimed, delivery, position.interrupt, lockLost, round);
        position = await session.advance({ type: 'resume', results });
      } else {
        // Of a model call that a lost claim had begun, viewers have pieces that will be said again.
        if (claimed.takenOver && position.repeatsModelCall) {
          publisher.publish({ type: 'attempt', attempt: claimed.claim.attempt });
        }
        position = await session.advance(position.next);
      }
    }
  }

  /** Between two steps nothing is half done, so the next worker goes on as if it were this one. */
  private async handBack(claimed: ClaimedRun, delivery: RunDelivery): Promise<DeliveryOutcome> {
    // A run that was taken over and not gone on with still owes its viewers the `attempt` event.
    if (!claimed.takenOver) await this.its.runs.release(claimed.claim, 'queued');
    await delivery.handBack();
    return 'handed-back';
  }

  /** The results of the turn's calls in order, or nothing while one is missing. */
  private async resultsOf(
    { claim }: ClaimedRun,
    { iteration, calls }: ToolInterrupt,
  ): Promise<CallResult[] | undefined> {
    const rows = await this.its.toolCalls.ofIteration(claim.runId, iteration);
    const results = rows.flatMap((row) => (row.endedAt ? [toResult(row)] : []));
    return results.length === calls.length ? results : undefined;
  }

  private async waitForTools(
    claimed: ClaimedRun,
    delivery: RunDelivery,
    { iteration, calls, usage }: ToolInterrupt,
    lockLost: AbortSignal,
    round: number,
  ): Promise<DeliveryOutcome> {
    if (round > MAX_ROUNDS) throw new ResultsMissingError();
    const { claim } = claimed;
    await this.its.toolCalls.add(
      claim,
      calls.map(({ callId, name, rawArguments, refusal }, position) => ({
        callId,
        iteration,
        position,
        name,
        arguments: rawArguments,
        ...(refusal === undefined ? {} : { refusal }),
      })),
    );
    await this.announceRefusals(claimed, calls);
    const jobs = calls.flatMap(({ callId, refusal }, position) =>
      refusal === undefined ? [{ runId: claim.runId, callId, jobKey: `${iteration}-${position}` }] : [],
    );
    const { max_parallel_tools: width } = effectiveLimitsSchema.parse(claimed.run.effectiveLimits);
    await this.its.runs.release(claim, 'waiting_tools', usage);
    if (jobs.length > 0) {
      await delivery.addToolCalls(lanesOf(jobs, width));
      if (await delivery.park()) return 'parked';
    }
    return this.execute(delivery, lockLost, round + 1);
  }

  /** A refused call has no start, only its end with the refusal. */
  private async announceRefusals(claimed: ClaimedRun, calls: ToolInterrupt['calls']): Promise<void> {
    const { runId } = claimed.claim;
    for (const { callId, name, refusal } of calls) {
      if (refusal === undefined) continue;
      const fence = { writer: `call-end:${callId}`, attempt: 0 } as const;
      await new RunEventWriter(this.its.redis, runId, fence, this.its.eventTtlSeconds).append({
        type: 'tool_end',
        tool_call_id: callId,
        tool_name: name,
        tool_output: refusal,
      });
    }
  }

  private async finish(claimed: ClaimedRun, outcome: RunOutcome, log: Logger): Promise<DeliveryOutcome> {
    await this.its.runs.finish(claimed.claim, outcome);
    log.info(
      {
        ...auditFields(claimed),
        status: outcome.status,
        stopReason: outcome.stopReason,
        code: outcome.error?.code,
        usage: outcome.usage,
      },
      'run ended',
    );
    await this.its.announcer.announceEnd(claimed.claim.runId);
    return 'finished';
  }

  private async fail(claimed: ClaimedRun, error: unknown, log: Logger): Promise<DeliveryOutcome> {
    const failure = toRunError(error);
    if (failure.code === 'internal_error') log.error({ err: error }, 'run failed unexpectedly');
    return await this.finish(
      claimed,
      {
        status: 'failed',
        stopReason: 'error',
        error: { code: failure.code, message: failure.message },
        usage: claimed.run.usage ?? NO_USAGE,
        messages: 1,
      },
      log,
    );
  }

  /** A run that its line has come to at once may be here before the gateway has begun its log. */
  private async openLog({ claim }: ClaimedRun): Promise<void> {
    const fence = { writer: 'gateway', attempt: 0 } as const;
    await new RunEventWriter(this.its.redis, claim.runId, fence, this.its.eventTtlSeconds).append({
      type: 'run',
      queue_position: 0,
    });
  }

  private writerFor({ claim }: ClaimedRun): RunEventWriter {
    const fence = { writer: 'agent', attempt: claim.attempt } as const;
    return new RunEventWriter(this.its.redis, claim.runId, fence, this.its.eventTtlSeconds);
  }
}

/** Who asked, and within which limits. */
function auditFields({ run }: ClaimedRun) {
  const { projectId, userId, requestedLimits, effectiveLimits } = run;
  return { projectId, userId, requestedLimits, effectiveLimits };
}

function toResult(row: ToolCallRow): CallResult {
  return {
    callId: row.callId,
    name: row.name,
    output: row.output ?? '',
    failed: row.status !== 'succeeded',
    retries: row.retries,
  };
}
