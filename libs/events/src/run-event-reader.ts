import { endsLog, runEventSchema, type RunEvent } from '@copilot/contracts';
import type { RedisClient } from '@copilot/redis';
import { entryIdOf, streamKey, toCursor, type Cursor } from './keys';
import type { WakeHub } from './wake-hub';

export interface LoggedEvent {
  readonly cursor: Cursor;
  readonly event: RunEvent;
}

/** A reader holds one page while its client takes it, and an entry may be a whole tool output. */
const PAGE = 100;

/** A wake-up can be lost with a connection; the log is looked at this often all the same. */
const LOOK_AGAIN_MS = 5_000;

/** Reads run logs: any number of readers, from any cursor, each event once and in order. */
export class RunEventReader {
  constructor(
    private readonly redis: RedisClient,
    private readonly wakes: WakeHub,
  ) {}

  /**
   * Where a reader that shows `lastEventId` goes on: after it if it is an entry of this log, else from the
   * start, so that a cursor of another run can never skip events.
   */
  async resumePoint(runId: string, lastEventId: string | undefined): Promise<Cursor | undefined> {
    const entryId = entryIdOf(runId, lastEventId ?? '');
    if (entryId === undefined) return undefined;
    const found = await this.redis.xrange(streamKey(runId), entryId, entryId, 'COUNT', 1);
    return found.length > 0 ? toCursor(runId, entryId) : undefined;
  }

  /** Whether the log is there from its beginning on: it has not expired, nor was it lost at any time. */
  async isWhole(runId: string): Promise<boolean> {
    const [first] = await this.redis.xrange(streamKey(runId), '-', '+', 'COUNT', 1);
    return first !== undefined && toEvent(first).type === 'run';
  }

  /** At most one page of entries after `after`, oldest first. */
  async page(runId: string, after: Cursor | undefined): Promise<LoggedEvent[]> {
    const start = after === undefined ? '-' : `(${entryIdOf(runId, after)}`;
    const entries = await this.redis.xrange(streamKey(runId), start, '+', 'COUNT', PAGE);
    return entries.map((entry) => ({ cursor: toCursor(runId, entry[0]), event: toEvent(entry) }));
  }

  /** Resolves once the log has its `done`, or when `signal` aborts. */
  async untilDone(runId: string, signal: AbortSignal): Promise<void> {
    const [last] = await this.redis.xrevrange(streamKey(runId), '+', '-', 'COUNT', 1);
    const after = last && toCursor(runId, last[0]);
    if (after !== undefined && !(await this.mayGrow(runId, after))) return;
    for await (const _ of this.tail(runId, after, signal));
  }

  /**
   * The log after `after`, then live, in pages; ends after `done`, or when `signal` aborts. Subscribes before
   * the first read, so nothing appended in between is missed. An empty page says that there is nothing more for
   * now: once when that is so, then again every few seconds. A log that is gone looks like that too.
   */
  async *tail(
    runId: string,
    after: Cursor | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<LoggedEvent[], void, undefined> {
    const bell = new Bell(signal);
    const stop = await this.wakes.listen(runId, () => bell.ring());
    try {
      let cursor = after;
      let mayGrow = false;
      while (!signal.aborted) {
        bell.reset();
        const events = await this.page(runId, cursor);
        const last = events.at(-1);
        if (last) {
          yield events;
          cursor = last.cursor;
          if (endsLog(last.event)) return;
        } else if (mayGrow) {
          mayGrow = await bell.wait(LOOK_AGAIN_MS);
        } else {
          mayGrow = await this.mayGrow(runId, cursor);
          if (!mayGrow) return;
          yield [];
        }
      }
    } finally {
      stop();
    }
  }

  /** False when nothing can follow `cursor`, since it is the log's `done`. */
  private async mayGrow(runId: string, cursor: Cursor | undefined): Promise<boolean> {
    const [last] = await this.redis.xrevrange(streamKey(runId), '+', '-', 'COUNT', 1);
    if (!last) return true;
    return toCursor(runId, last[0]) !== cursor || !endsLog(toEvent(last));
  }
}

type Entry = readonly [id: string, fields: readonly string[]];

function toEvent([, fields]: Entry): RunEvent {
  return runEventSchema.parse(JSON.parse(fields[1] ?? 'null'));
}

/** Waits for a ring since the last reset. */
class Bell {
  private rung = false;
  private wake: (() => void) | undefined;

  constructor(private readonly signal: AbortSignal) {}

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  reset(): void {
    this.rung = false;
  }

  /** Resolves to true on a ring, to false after `timeoutMs` or when the signal aborts. */
  async wait(timeoutMs: number): Promise<boolean> {
    if (this.rung || this.signal.aborted) return this.rung;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', done);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.signal.addEventListener('abort', done);
      this.wake = done;
    });
    return this.rung;
  }
}
