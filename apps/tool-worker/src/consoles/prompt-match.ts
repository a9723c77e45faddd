import type { ConsoleDriver, Prompt } from './drivers/driver';

/** IOS shortens a long host name in the prompts of configuration mode, but never below this. */
const SHORTENED_HOST_CHARS = 15;

/** A longer line is no prompt. */
const MAX_PROMPT_CHARS = 120;

/**
 * The prompt on a line, if it is the device's own: its host must be one of `hosts`. Anything that only looks
 * like a prompt (`description uplink#`, a banner of `#`) names another host or none.
 */
export function matchPrompt(
  driver: ConsoleDriver,
  line: string,
  hosts: readonly string[],
): Prompt | undefined {
  if (line.length > MAX_PROMPT_CHARS) return undefined;
  const prompt = driver.parsePrompt(line);
  if (prompt === undefined) return undefined;
  const known =
    hosts.find((host) => host === prompt.host) ?? hosts.find((host) => related(driver, host, prompt.host));
  return known === undefined ? undefined : { ...prompt, host: hostOf(driver, known, prompt.host) };
}

function related(driver: ConsoleDriver, known: string, shown: string): boolean {
  const [short, long] = known.length < shown.length ? [known, shown] : [shown, known];
  if (driver.viewAfterHost === true && long.startsWith(`${short}-`)) return true;
  return short.length >= SHORTENED_HOST_CHARS && long.startsWith(short);
}

/** Where a prompt shows the host with a view, the shorter one is the host; shortened, the longer one. */
function hostOf(driver: ConsoleDriver, known: string, shown: string): string {
  const [short, long] = known.length < shown.length ? [known, shown] : [shown, known];
  return driver.viewAfterHost === true ? short : long;
}

/** Whether a finished line shows the command being typed. Long commands are redrawn, so the end decides. */
export function showsEcho(line: string, command: string): boolean {
  const tail = squeeze(command).slice(-ECHO_TAIL_CHARS);
  return tail === '' || squeeze(line).endsWith(tail);
}

const ECHO_TAIL_CHARS = 30;

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}
