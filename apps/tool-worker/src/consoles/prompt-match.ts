import type { ConsoleDriver, Prompt } from './drivers/driver';

/** IOS shortens a long host name in the prompts of configuration mode, but never below this. */
const SHORTENED_HOST_CHARS = 15;

/** A longer line is no prompt. */
const MAX_PROMPT_CHARS = 120;

/**
 * The prompt on a line, if it is the device's own: its host must be one of `hosts`. Anything that only looks
 * like a prompt (`description uplink#`, a banner of `#`) names another host or none.
 */
export function matchPrompt(driver: ConsoleDriver, line: string, hosts: readonly string[]): Prompt | undefined {
  if (line.length > MAX_PROMPT_CHARS) return undefined;
  const prompt = driver.parsePrompt(line);
  return prompt !== undefined && hosts.some((host) => sameHost(host, prompt)) ? prompt : undefined;
}

function sameHost(known: string, shown: Prompt): boolean {
  if (known === shown.host) return true;
  const [short, long] = known.length < shown.host.length ? [known, shown.host] : [shown.host, known];
  return short.length >= SHORTENED_HOST_CHARS && long.startsWith(short);
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
