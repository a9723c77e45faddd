import { effectiveLimitsSchema, sessionRoom, type EffectiveLimits } from '@copilot/limits';
import type { RunStanding } from '@copilot/persistence';
import { RunClock } from './run-clock';

/**
 * What a run has to keep to, as its row says it: the limits, the deadline, and whether it is to go on at all.
 * The row is read before every step and whenever a signal says that it has changed.
 */
export class RunRules {
  readonly clock: RunClock;
  private held: EffectiveLimits;
  private deadlineAt: number | undefined;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    first: RunStanding,
    private readonly read: () => Promise<RunStanding>,
  ) {
    this.clock = new RunClock(first);
    this.held = limitsOf(first);
    this.take(first);
  }

  get limits(): EffectiveLimits {
    return this.held;
  }

  /** One reading after the other, so that an older one never overwrites a newer one. */
  refresh(): Promise<void> {
    const next = this.reading.catch(() => undefined).then(async () => this.take(await this.read()));
    this.reading = next;
    return next;
  }

  private take(standing: RunStanding): void {
    const { deadlineAt, remainingMs, cancelRequested } = standing;
    this.held = limitsOf(standing);
    const deadline = deadlineAt?.getTime();
    if (deadline !== this.deadlineAt) this.clock.moveDeadline(remainingMs);
    this.deadlineAt = deadline;
    if (cancelRequested) this.clock.cancel();
  }
}

function limitsOf({ effectiveLimits, session }: RunStanding): EffectiveLimits {
  const room = sessionRoom(session.budget, session.totals);
  return { ...effectiveLimitsSchema.parse(effectiveLimits), ...(room ? { session: room } : {}) };
}
