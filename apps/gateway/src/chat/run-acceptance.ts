import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '@copilot/observability';
import { RunIntake, RunsRepository, type AcceptedRun, type NewRun } from '@copilot/persistence';
import { RunQueue } from '@copilot/queues';
import { unavailable } from '../errors/api-error';
import { RunLogs } from '../events/run-logs';
import { RunCancelling } from '../runs/run-cancelling';

/** With what comes before and after it, the client has its answer within 5 s. */
const HAND_OVER_MS = 3_500;

/** Accepts runs: row, event log, queue. A client is told that its run is accepted only if it is. */
@Injectable()
export class RunAcceptance {
  constructor(
    private readonly intake: RunIntake,
    private readonly runs: RunsRepository,
    private readonly logs: RunLogs,
    private readonly queue: RunQueue,
    private readonly cancelling: RunCancelling,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async accept(input: NewRun): Promise<AcceptedRun> {
    const accepted = await this.intake.accept(input);
    const { run, session, queuePosition, repeated } = accepted;
    const { runId } = run;
    if (repeated && run.endedAt) return accepted;
    const said = repeated ? 'the request was sent before: its run stays as it is' : startedLine(input);
    this.logger.info({ runId, sessionId: session.sessionId, queuePosition, limits: input.limits }, said);
    try {
      await withinTime(this.handOver(accepted));
    } catch (error) {
      this.logger.warn({ err: error, runId }, 'run could not be handed over');
      // The run of a request that was sent before stays: sending it once more is all that its caller has to do.
      if (repeated) throw unavailable('The queue (Redis)');
      if (await this.intake.withdraw(runId)) {
        // Not waited for: the client is to know now, and Redis may take its time.
        void this.moveLineUp(accepted);
        throw unavailable('The queue (Redis)', notAccepted(accepted));
      }
      // A worker has the run: the hand-over went through and only its answer was lost.
    }
    return accepted;
  }

  /** The log begins before a worker can write to it, so that `run` is its first entry. */
  private async handOver({ run, queuePosition, interrupted, repeated }: AcceptedRun): Promise<void> {
    await this.logs.begin(run.runId, queuePosition);
    const by = { userId: run.userId, source: 'interrupt', byRunId: run.runId } as const;
    await Promise.all(interrupted.map((runId) => this.cancelling.carryOut(runId, by)));
    // Behind others, too: should the head's own enqueueing have been lost, this one brings the line to life.
    const head = queuePosition === 0 && !repeated ? run : await this.runs.headOfLine(run.session);
    if (head) await this.queue.enqueue({ runId: head.runId, enqueueNumber: head.enqueueNumber });
  }

  /** Runs that were accepted meanwhile wait behind the withdrawn one, which will never end. */
  private async moveLineUp({ run, session }: AcceptedRun): Promise<void> {
    try {
      const head = await this.runs.headOfLine(session.id);
      if (head) await this.queue.enqueue(head);
    } catch (error) {
      this.logger.warn({ err: error, runId: run.runId }, 'the next run of the session could not be enqueued');
    }
  }
}

/** Workers may have seen the cancels already, so these are not taken back. */
function notAccepted({ interrupted }: AcceptedRun): string {
  const others =
    interrupted.length === 0 ? '' : '; the runs that it was to interrupt are cancelled all the same';
  return `The message was not accepted${others}. `;
}

/** The audit line in the form of the design document, the one exception to constant messages. */
function startedLine({ projectId, userId, sessionId, limits: { requested } }: NewRun): string {
  const asked = (name: 'max_iterations' | 'max_tool_calls') => JSON.stringify(requested[name]) ?? 'None';
  return `Stream chat started: project_id=${projectId}, user_id=${userId}, session_id=${sessionId}, mode=text, max_iterations=${asked('max_iterations')}, max_tool_calls=${asked('max_tool_calls')}`;
}

async function withinTime(work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const timeout = sleep(HAND_OVER_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`Redis gave no answer within ${HAND_OVER_MS} ms`);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    timer.abort();
    timeout.catch(() => undefined);
    work.catch(() => undefined);
  }
}
