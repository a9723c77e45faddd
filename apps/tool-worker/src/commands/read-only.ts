import { abbreviates } from './words';

/** Vendors whose commands are known well enough to say which of them change nothing. */
export type CommandFamily = 'ios' | 'vrp' | 'vpcs';

interface ReadOnlyCommand {
  readonly keyword: string;
  readonly minChars: number;
  /** What must follow the keyword; anything if left out. */
  readonly rest?: (words: readonly string[]) => boolean;
}

interface FamilyRules {
  readonly commands: readonly ReadOnlyCommand[];
  /** What output may be filtered by. Every other word after a `|` may write a file. */
  readonly filters: readonly string[];
  readonly examples: string;
}

const some = (words: readonly string[]) => words.length > 0;

const RULES: Record<CommandFamily, FamilyRules> = {
  ios: {
    commands: [
      { keyword: 'show', minChars: 2 },
      // Without arguments these ask questions.
      { keyword: 'ping', minChars: 2, rest: some },
      { keyword: 'traceroute', minChars: 2, rest: some },
      { keyword: 'dir', minChars: 3 },
      { keyword: 'more', minChars: 3, rest: some },
      {
        keyword: 'terminal',
        minChars: 4,
        rest: ([what = '', value = '', ...more]) =>
          ['length', 'width'].some((keyword) => abbreviates(what, keyword)) &&
          /^\d+$/.test(value) &&
          more.length === 0,
      },
    ],
    filters: ['include', 'exclude', 'begin', 'section', 'count'],
    examples: 'show, ping, traceroute, dir, more',
  },
  vrp: {
    commands: [
      { keyword: 'display', minChars: 3 },
      { keyword: 'ping', minChars: 2, rest: some },
      { keyword: 'tracert', minChars: 3, rest: some },
      { keyword: 'dir', minChars: 3 },
      { keyword: 'more', minChars: 3, rest: some },
      {
        keyword: 'screen-length',
        minChars: 3,
        rest: ([lines = '', scope = '']) => /^\d+$/.test(lines) && abbreviates(scope, 'temporary'),
      },
    ],
    filters: ['include', 'exclude', 'begin', 'section', 'count', 'no-more'],
    examples: 'display, ping, tracert, dir, more',
  },
  vpcs: {
    commands: [
      { keyword: 'show', minChars: 2 },
      { keyword: 'ping', minChars: 2, rest: some },
      { keyword: 'trace', minChars: 2, rest: some },
      { keyword: 'tracer', minChars: 2, rest: some },
      { keyword: 'arp', minChars: 1 },
      { keyword: 'history', minChars: 2 },
      { keyword: 'version', minChars: 1 },
      { keyword: 'help', minChars: 3 },
      { keyword: '?', minChars: 1 },
    ],
    filters: [],
    examples: 'show, ping, trace, arp, version',
  },
};

/**
 * Why a read-only tool may not send a command, or undefined. Only what is known to change nothing passes:
 * an unknown command, a short form that could mean something else, or output sent to a file does not.
 */
export function readOnlyRefusal(family: CommandFamily, command: string): string | undefined {
  const rules = RULES[family];
  // Some systems take `;` as the end of a command, so each part must be harmless by itself.
  const parts = command.split(';').map((part) => part.trim());
  const bad = parts.find((part) => !isReadOnly(rules, part));
  return bad === undefined
    ? undefined
    : `Command '${command}' is not allowed because this tool only sends read-only commands (${rules.examples}, with output filters such as '| include'). Use the configuration tool for changes.`;
}

function isReadOnly(rules: FamilyRules, command: string): boolean {
  const [main = '', ...filters] = command.split('|');
  const [first = '', ...rest] = main.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const known = rules.commands.some(
    ({ keyword, minChars, rest: accepts }) =>
      abbreviates(first, keyword, minChars) && (accepts?.(rest) ?? true),
  );
  return known && !/[<>]/.test(main) && filters.every((filter, index) => isFilter(rules, filter, index > 0));
}

/**
 * A filter's first word must be a known one. The text it looks for may have a `|` of its own (`include up|down`),
 * whose next part is text again and cannot be told from a filter; so it must not begin like a command that writes.
 */
function isFilter(rules: FamilyRules, filter: string, inner: boolean): boolean {
  const [verb = '', ...text] = filter.trim().toLowerCase().split(/\s+/);
  if (/\s>|>\s*\S*[:/]/.test(filter)) return false;
  if (
    rules.filters.some((keyword) => abbreviates(verb, keyword, 1)) &&
    (text.length > 0 || verb === 'no-more')
  )
    return true;
  return (
    inner && !/^\s/.test(filter) && !WRITERS.some((writer) => abbreviates(verb, writer, 1) && text.length > 0)
  );
}

const WRITERS = ['redirect', 'tee', 'append', 'save', 'copy', 'refile'];
