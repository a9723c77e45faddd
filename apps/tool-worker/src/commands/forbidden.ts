import { abbreviates, commandWords } from './words';

/** A list of command beginnings that may not be sent. */
export type ForbiddenPatterns = readonly ForbiddenPattern[];

interface ForbiddenPattern {
  readonly text: string;
  readonly words: readonly string[];
}

/** Commands that run longer than a call may take, or that leave the console busy for the next command. */
export const DEFAULT_FORBIDDEN_TEXT = `
traceroute
tracepath
tracert
ping -f
debug
test
`;

/** One pattern a line; empty lines and lines that begin with # are left out. */
export function parseForbiddenPatterns(text: string): ForbiddenPatterns {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ text: line, words: line.toLowerCase().split(/\s+/) }));
}

export const DEFAULT_FORBIDDEN = parseForbiddenPatterns(DEFAULT_FORBIDDEN_TEXT);

/**
 * What no tool may do to a lab, whatever the list of forbidden commands says: it would stop a device, or
 * take away its files or its configuration.
 */
const DISRUPTIVE = parseForbiddenPatterns(`
reload
reboot
schedule reboot
request system
erase
write erase
format
delete
squeeze
configure replace
reset saved-configuration
factory-configuration
factory-reset
crypto key zeroize
`);

/** The reason why a command may not be sent, or undefined. The text is the one of the reference server. */
export function forbiddenReason(patterns: ForbiddenPatterns, command: string): string | undefined {
  const pattern = match(patterns, command);
  return pattern === undefined
    ? undefined
    : `Command '${command}' is not allowed because it matches the forbidden pattern '${pattern}'. This command may run longer than the tool timeout or leave the device console unavailable for subsequent commands.`;
}

export function disruptiveReason(command: string): string | undefined {
  const pattern = match(DISRUPTIVE, command);
  return pattern === undefined
    ? undefined
    : `Command '${command}' is not allowed because '${pattern}' stops the device or destroys its files or configuration. A person can do this on the device's console.`;
}

function match(patterns: ForbiddenPatterns, command: string): string | undefined {
  const words = commandWords(command);
  return patterns.find((pattern) => matches(pattern.words, words))?.text;
}

/**
 * Word by word from the beginning, each possibly abbreviated, so that `trac` is caught and `testing` is not.
 * An option (`-f`) counts wherever it stands among the arguments.
 */
function matches(pattern: readonly string[], words: readonly string[]): boolean {
  return pattern.every((wanted, index) => {
    if (wanted.startsWith('-')) return words.slice(1).some((word) => isOption(word, wanted));
    const word = words[index];
    return word !== undefined && abbreviates(word, wanted);
  });
}

/** `-f` also counts inside `-fq`. */
function isOption(word: string, wanted: string): boolean {
  if (word === wanted) return true;
  return wanted.length === 2 && /^-[a-z]+$/.test(word) && word.includes(wanted.charAt(1));
}
