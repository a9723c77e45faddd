import type { ConsoleScreen } from './console-screen';
import type { ConsoleDriver, Prompt, PromptMode } from './drivers/driver';
import { matchPrompt } from './prompt-match';
import type { ConsoleTimings } from './timings';

interface Wanted {
  hosts: readonly string[];
  modes: readonly PromptMode[];
}

/**
 * Waits for the prompt after a command was given up. Bounded in time and by nothing else: it also runs when
 * the caller has gone, so that the device is not left in the middle of something.
 */
export async function awaitPrompt(
  screen: ConsoleScreen,
  driver: ConsoleDriver,
  timings: ConsoleTimings,
  { hosts, modes }: Wanted,
): Promise<Prompt | undefined> {
  const deadlineMs = Date.now() + timings.recoverMs;
  const unaborted = new AbortController().signal;
  for (let leftMs = timings.recoverMs; leftMs > 0; leftMs = deadlineMs - Date.now()) {
    const prompt = matchPrompt(driver, screen.current, hosts);
    const found = prompt !== undefined && modes.includes(prompt.mode);
    const change = await screen.next(found ? Math.min(leftMs, timings.wakeQuietMs) : leftMs, unaborted);
    if (change === 'closed') return undefined;
    if (found && change === 'quiet') return prompt;
  }
  return undefined;
}
