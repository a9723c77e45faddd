import type { Faults } from './seen';

/** Of each kind, so that many of one do not hide another. */
const NOTES_KEPT = 5;

/** Counts, by whether one above zero means that the service did wrong. */
const COUNTS = {
  /** Runs that ended and were compared with what each of their viewers had. */
  runs: false,
  /** As the viewers got them: an event counts for each. */
  events: false,
  /** Connections that a viewer broke off in the middle, to go on from its last id. */
  resumes: false,
  /** Model calls that were made again, because a worker could not hold its run: the machine was too busy. */
  repeatedCalls: false,
  /** Viewers with an open stream. */
  open: false,
  /** Streams that were refused, ended or broke before the run did; their viewers went on from their last id. */
  cuts: false,
  /** Messages that were refused, as with a 503 while a store does not answer in time; the chat tries again. */
  refusals: false,
  lost: true,
  repeated: true,
  outOfOrder: true,
  unknown: true,
  altered: true,
  /** Runs that did not complete, or do not say what the model said. */
  failures: true,
} as const;

type Count = keyof typeof COUNTS;
const NAMES = Object.keys(COUNTS) as Count[];

/** What the viewers have had so far. */
export type Tally = Record<Count, number> & {
  /** The first things of each kind that went wrong, in words. */
  readonly notes: Record<'faults' | 'cuts' | 'refusals' | 'failures', string[]>;
};

export function newTally(): Tally {
  return {
    runs: 0,
    events: 0,
    resumes: 0,
    repeatedCalls: 0,
    open: 0,
    cuts: 0,
    refusals: 0,
    lost: 0,
    repeated: 0,
    outOfOrder: 0,
    unknown: 0,
    altered: 0,
    failures: 0,
    notes: { faults: [], cuts: [], refusals: [], failures: [] },
  };
}

export function addFaults(tally: Tally, faults: Faults, where: string): void {
  for (const name of ['lost', 'repeated', 'outOfOrder', 'unknown', 'altered'] as const) {
    tally[name] += faults[name];
  }
  if (Object.values(faults).some((count) => count > 0))
    note(tally, 'faults', `${where}: ${JSON.stringify(faults)}`);
}

export function addNoted(tally: Tally, kind: 'cuts' | 'refusals' | 'failures', what: string): void {
  tally[kind] += 1;
  note(tally, kind, what);
}

function note(tally: Tally, kind: keyof Tally['notes'], text: string): void {
  if (tally.notes[kind].length < NOTES_KEPT) tally.notes[kind].push(text);
}

export function wrongs(tally: Tally): string[] {
  return NAMES.filter((name) => COUNTS[name] && tally[name] > 0).map((name) => `${tally[name]} ${name}`);
}

/** A Markdown table. */
export function tallyTable(tally: Tally): string {
  const shown = NAMES.filter((name) => name !== 'open');
  return [
    `| ${shown.join(' | ')} |`,
    `|${shown.map(() => '---').join('|')}|`,
    `| ${shown.map((name) => tally[name].toLocaleString('en')).join(' | ')} |`,
  ].join('\n');
}
