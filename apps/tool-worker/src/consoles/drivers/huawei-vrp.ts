import type { ConfigStep, ConsoleDriver, Prompt } from './driver';

/** `<HW>`, `[HW]`, `[~HW]`, `[*HW]`, `[HW-GigabitEthernet0/0/1]`. */
const USER_VIEW = /^<([\w.\-]+)>$/;
const SYSTEM_VIEW = /^\[([~*]?)([\w.\-/:]+)\]$/;

/**
 * Views are named after the host and a dash, but a host name may have a dash itself, so a view's host is the
 * whole text in the brackets and is compared by its beginning.
 */
function parsePrompt(line: string): Prompt | undefined {
  const user = USER_VIEW.exec(line)?.[1];
  if (user !== undefined) return { host: user, mode: 'exec' };
  const [, mark, host] = SYSTEM_VIEW.exec(line) ?? [];
  if (host === undefined) return undefined;
  return { host, mode: 'config', ...(mark === '*' ? { uncommitted: true } : {}) };
}

function step(line: string): ConfigStep {
  if (/^sys(t|te|tem)?(-view)?$/i.test(line)) return { kind: 'skip' };
  if (/^sa(v|ve)?(\s+(\/?all|force))?$/i.test(line)) return { kind: 'exec', text: line };
  return { kind: 'config', text: line };
}

export const huaweiVrp: ConsoleDriver = {
  name: 'huawei_vrp',
  family: 'vrp',
  parsePrompt,
  viewAfterHost: true,
  pager: { mark: /^\s*-{2,} ?More ?-{2,}\s*/i, next: ' ', quit: 'q' },
  dialogs: [
    { pattern: /change now\?\s*\[y\/n\]:?$/i, yes: 'y\r', no: 'n\r' },
    { pattern: /stop auto-?config.*\[y\/n\]:?$/i, yes: 'y\r', no: 'y\r' },
    { pattern: /\[y\/n\]:?$/i, yes: 'y\r', no: 'n\r' },
  ],
  questions: [
    { pattern: /\[y(\(yes\))?\/n(\(no\))?(\/c(\(cancel\))?)?\]\s*(\[[yn]\])?:?$/i, yes: 'y\r', no: 'n\r' },
    { pattern: /file ?name.*\]:?$/i, yes: '\r', no: '\x03' },
  ],
  interrupt: '\x03',
  setup: ['screen-length 0 temporary'],
  config: {
    enter: 'system-view',
    leave: 'return',
    commit: 'commit',
    discard: 'clear configuration candidate',
    step,
  },
  refusal: (lines) =>
    lines.find((line) => /^\s*(Error|Wrong|Incomplete|Ambiguous|Unrecognized)\b/i.test(line)),
  hostAfter: (command) => /^sysn(?:a|am|ame)?\s+(\S+)$/i.exec(command)?.[1],
  check: 'display current-configuration',
};
