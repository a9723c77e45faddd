import { endsLog, type RunEvent } from '@copilot/contracts';
import type { RedisClient } from '@copilot/redis';
import { APPEND_SCRIPT } from './append-script';
import { fencesKey, streamKey, wakeChannel } from './keys';

/** A newer attempt of this writer is at work: whoever gets this must stop writing. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** The log already has its `done`. */
export class LogClosedError extends Error {
  override readonly name = 'LogClosedError';
}

/** An unfinished run's log outlives any run, its queueing included. */
const UNFINISHED_TTL_SECONDS = 7 * 86_400;

/** Whose events these are. Writers are fenced one by one: the run's agent, each tool call, the gateway. */
export interface WriterFence {
  readonly writer:
    | 'gateway'
    | 'agent'
    | 'end'
    | `${'call-start' | 'call-wait' | 'call-end' | 'limits' | 'approval' | 'approval-wait' | 'once'}:${string}`;
  /** Raised with every claim; events of an older one are refused. */
  readonly attempt: number;
}

/**
 * Appends to one run's log under one fence. Events are numbered in the order of the calls, and an append
 * that is repeated because its answer was lost adds nothing twice.
 */
export class RunEventWriter {
  private sequence = 0;

  constructor(
    private readonly redis: RedisClient,
    private readonly runId: string,
    private readonly fence: WriterFence,
    private readonly endedTtlSeconds: number,
  ) {}

  /** Resolves when the events are in the log. Rejects with FencedError or LogClosedError when refused. */
  async append(...events: RunEvent[]): Promise<void> {
    if (events.length === 0) return;
    const first = this.sequence + 1;
    this.sequence += events.length;
    const closes = events.some(endsLog);
    const reply = await this.redis.eval(
      APPEND_SCRIPT,
      2,
      streamKey(this.runId),
      fencesKey(this.runId),
      wakeChannel(this.runId),
      this.fence.writer,
      this.fence.attempt,
      first,
      closes ? this.endedTtlSeconds : UNFINISHED_TTL_SECONDS,
      closes ? 1 : 0,
      ...events.map((event) => JSON.stringify(event)),
    );
    const verdict: unknown = Array.isArray(reply) ? reply[0] : undefined;
    if (verdict === 'fenced') throw new FencedError(`attempt ${this.fence.attempt} is no longer the newest`);
    if (verdict === 'closed') throw new LogClosedError('the log has ended');
  }
}
