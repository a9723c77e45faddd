/** How long a console may take for what. Milliseconds; tests shorten them. */
export interface ConsoleTimings {
  /** One attempt to connect. */
  connectMs: number;
  /** A node that was just started refuses connections for a while. */
  refusedRetryMs: number;
  /** A console that says nothing at all for this long is reported, and not waited for any longer. */
  silentMs: number;
  /** A console that keeps printing, but no prompt, is taken to be booting for this long. */
  bootMs: number;
  /** Silence after which Enter is pressed again while looking for the prompt. */
  wakeStepMs: number;
  /** Silence that ends a burst of output while looking for the prompt. */
  wakeQuietMs: number;
  /** Silence after a prompt that ends a command. Short: the prompt was learned and is compared exactly. */
  settleMs: number;
  /** The same where the command was not seen echoed, so the prompt may be one from before it. */
  unechoedSettleMs: number;
  /** To get the prompt back after a command that did not end. */
  recoverMs: number;
}

export const CONSOLE_TIMINGS: ConsoleTimings = {
  connectMs: 5_000,
  refusedRetryMs: 15_000,
  silentMs: 20_000,
  bootMs: 60_000,
  wakeStepMs: 1_000,
  wakeQuietMs: 200,
  settleMs: 60,
  unechoedSettleMs: 2_000,
  recoverMs: 2_000,
};
