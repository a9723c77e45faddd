import { createHash } from 'node:crypto';
import { eventOf, isLast, type RawFrame } from './frames';
import { answerOf, type Task } from './workload';

/** What one reader has of a run, over all its connections. Keeps ids and a hash, not the text. */
export class Seen {
  readonly ids: string[] = [];
  /** Has the run's last event. */
  ended = false;
  private readonly hash = createHash('sha256');
  private digest: string | undefined;

  take(frame: RawFrame): void {
    this.ids.push(frame.id);
    this.hash.update(frame.text).update('\n\n');
    if (isLast(frame)) this.ended = true;
  }

  /** Of the text of all frames in the order in which they came. Nothing can be taken afterwards. */
  get textHash(): string {
    this.digest ??= this.hash.digest('hex');
    return this.digest;
  }
}

/** Counts of events by what is wrong with them. All are zero when a reader has had exactly the run. */
export interface Faults {
  readonly lost: number;
  readonly repeated: number;
  /** Not above the one before. */
  readonly outOfOrder: number;
  /** Of which the replay knows nothing. */
  readonly unknown: number;
  /** 1 if all ids are right and the text is another. */
  readonly altered: number;
}

/** What a reader had, compared with a replay of the whole run. */
export function faultsOf(seen: Seen, whole: Seen): Faults {
  const had = new Set(seen.ids);
  const all = new Set(whole.ids);
  const faults = {
    lost: [...all].filter((id) => !had.has(id)).length,
    repeated: seen.ids.length - had.size,
    outOfOrder: seen.ids.filter((id, index) => index > 0 && !isAbove(id, seen.ids[index - 1] ?? '')).length,
    unknown: [...had].filter((id) => !all.has(id)).length,
  };
  const sameIds = Object.values(faults).every((count) => count === 0);
  return { ...faults, altered: sameIds && seen.textHash !== whole.textHash ? 1 : 0 };
}

function isAbove(id: string, before: string): boolean {
  const [ms, nth] = placeOf(id);
  const [beforeMs, beforeNth] = placeOf(before);
  return ms > beforeMs || (ms === beforeMs && nth > beforeNth);
}

/** Cursors are `<run>/<milliseconds>-<number>`; numbers of the same millisecond count up. */
function placeOf(id: string): [ms: number, nth: number] {
  const [ms = NaN, nth = NaN] = id
    .slice(id.lastIndexOf('/') + 1)
    .split('-')
    .map(Number);
  return [ms, nth];
}

export interface RunVerdict {
  /** Model calls that another attempt made again, because their worker lost the run. */
  readonly repeatedCalls: number;
  /** What is wrong with the run. */
  readonly fault: string | undefined;
}

/** Judges a run's whole log by what the model was told to say. */
export function verdictOn(frames: readonly RawFrame[], task: Task): RunVerdict {
  const events = frames.map(eventOf);
  const attempts = events.filter(isAttempt);
  // The text of a call that is made again is void. Only a run's last call has text here.
  const said = events
    .slice(events.findLastIndex(isAttempt) + 1)
    .filter(({ type }) => type === 'content')
    .map(({ content }) => String(content))
    .join('');
  return { repeatedCalls: attempts.length, fault: faultOf(events.at(-1)?.stop_reason, said, task) };
}

function isAttempt({ type }: Record<string, unknown>): boolean {
  return type === 'attempt';
}

function faultOf(stopReason: unknown, said: string, task: Task): string | undefined {
  if (stopReason !== 'completed') return `ended with ${String(stopReason)}`;
  return said === answerOf(task).join('') ? undefined : `its answer is not what the model said: ${said}`;
}
