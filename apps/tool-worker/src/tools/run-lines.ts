import type { RunOptions } from '../consoles/command-run';
import type { ConsoleSession } from '../consoles/console-session';
import { faultOf, lineName, shortList, type Transcript } from './transcript';

/** What a line's sending left behind. */
export interface LinesRecord {
  readonly transcript: Transcript;
  /** What went wrong, one sentence each. */
  readonly faults: string[];
}

/**
 * Sends lines that do not depend on one another, in order: a refused one does not keep the next from being
 * sent, but a console that is not back at its prompt does. `afterUnknown` is added to the fault of a line
 * whose outcome is not known.
 */
export async function runLines(
  lines: readonly string[],
  session: ConsoleSession,
  options: RunOptions,
  { transcript, faults }: LinesRecord,
  afterUnknown = '',
): Promise<void> {
  for (const [index, line] of lines.entries()) {
    if (!session.ready || options.signal.aborted || transcript.full) {
      faults.push(`Not sent: ${shortList(lines.slice(index))}.`);
      return;
    }
    const outcome = await session.run(line, options);
    transcript.add(outcome);
    const fault = faultOf(outcome, lineName(index, line), options.timeoutMs);
    if (fault !== undefined) faults.push(outcome.end === 'prompt' ? fault : fault + afterUnknown);
  }
}
