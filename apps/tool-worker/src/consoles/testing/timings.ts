import type { ConsoleTimings } from '../timings';

/** Short enough for tests, long enough for a busy machine. */
export const TEST_TIMINGS: ConsoleTimings = {
  connectMs: 2_000,
  refusedRetryMs: 3_000,
  silentMs: 1_000,
  bootMs: 2_500,
  wakeStepMs: 150,
  wakeQuietMs: 40,
  settleMs: 30,
  unechoedSettleMs: 400,
  recoverMs: 1_000,
};
