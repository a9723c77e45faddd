const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
const WINDOW_MS = 60_000;
const DEATHS_TO_GIVE_UP = 5;

/**
 * What to do about a process that died: start it again after a delay that doubles from 0.2 s to 5 s, or give
 * up (null) at the fifth death within a minute. Deaths older than a minute are forgotten, so the delay of a
 * process that ran well for a while starts small again.
 */
export class DeathRecord {
  #deathTimesMs = [];

  /** Delay in ms until the next start, or null. */
  record(nowMs) {
    this.#deathTimesMs = [...this.#deathTimesMs.filter((timeMs) => nowMs - timeMs < WINDOW_MS), nowMs];
    const deaths = this.#deathTimesMs.length;
    if (deaths >= DEATHS_TO_GIVE_UP) return null;
    return Math.min(FIRST_DELAY_MS * 2 ** (deaths - 1), LONGEST_DELAY_MS);
  }
}
