import { MAX_REDELIVERIES, RunError, skippedByCancel, STOPPED_BY_CANCEL } from '@copilot/contracts';
import { noTimeText, stoppedByTimeText } from '@copilot/limits';
import type { RunOutcome } from '@copilot/persistence';
import type { AgentSession } from '../graph/agent-session';
import type { RunRules } from '../graph/run-rules';
import { usageSoFar, type RunEnding } from './run-ending';
import type { RunHold } from './run-hold';
import type { ToolTurns } from './tool-turns';

/**
 * Brings a held run to its end without waiting for anything more: its time is over or it was cancelled. Open
 * calls get a result that says so, and the graph takes its last steps, which ask no model, so counters and
 * conversation are as complete as after any other end.
 */
export class RunConclusion {
  constructor(
    private readonly turns: ToolTurns,
    private readonly ending: RunEnding,
  ) {}

  /**
   * Ends a run that the queue has lost too often, without another step. Its open calls get a result, with which
   * the next run of the session begins.
   */
  async giveUp(hold: RunHold, session: AgentSession): Promise<void> {
    const position = await session.position();
    if (position.at === 'tools') await this.turns.close(hold.claimed, position.interrupt, LOST);
    await this.ending.fail(hold, LOST_TOO_OFTEN);
  }

  async conclude(hold: RunHold, session: AgentSession): Promise<void> {
    for (let position = await session.position(); ;) {
      if (position.at === 'end') {
        await hold.publisher.flush();
        return await this.ending.finish(hold, position.outcome);
      }
      if (position.at === 'tools') {
        const results = await this.turns.close(hold.claimed, position.interrupt, whyNoResult(hold.rules));
        position = await session.advance({ type: 'resume', results });
      } else if (position.next.type === 'start' && hold.rules.clock.cancelled) {
        return await this.ending.finish(hold, neverBegun(hold));
      } else {
        position = await session.advance(position.next);
      }
    }
  }
}

const LOST = {
  skipped: () => 'Error: the run ended before this call was begun. It was not executed.',
  stopped:
    'Error: the run ended while this call was under way. It may or may not have taken effect; check the device before you repeat it.',
};

const LOST_TOO_OFTEN = new RunError(
  'delivery_lost',
  `The queue (Redis) has lost this run more than ${MAX_REDELIVERIES} times, so it was ended. Check that Redis keeps its data (append-only file, maxmemory-policy noeviction), then send the message again.`,
);

/** A run that was cancelled before its first step has left nothing in the conversation. */
function neverBegun({ claimed }: RunHold): RunOutcome {
  return { status: 'cancelled', stopReason: 'aborted', usage: usageSoFar(claimed.run), messages: 0 };
}

function whyNoResult({ clock, limits }: RunRules) {
  return clock.cancelled
    ? { skipped: skippedByCancel, stopped: STOPPED_BY_CANCEL }
    : { skipped: () => noTimeText(limits), stopped: stoppedByTimeText(limits) };
}
