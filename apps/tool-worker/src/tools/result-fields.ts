import type { Judged } from '../commands/judge';
import type { Device } from './lab';

export function warningField({ warning }: Device): { warning?: string } {
  return warning === undefined ? {} : { warning };
}

export function blockedFields({ blocked }: Judged): {
  blocked_commands?: string[];
  blocked_info?: Record<string, string>;
} {
  if (blocked.length === 0) return {};
  return {
    blocked_commands: blocked.map(({ command }) => command),
    blocked_info: Object.fromEntries(blocked.map(({ command, reason }) => [command, reason])),
  };
}

export function errorField(faults: readonly string[]): { error?: string } {
  return faults.length === 0 ? {} : { error: faults.join(' ') };
}
