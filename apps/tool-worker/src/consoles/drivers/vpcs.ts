import type { ConsoleDriver, Prompt } from './driver';

/** `PC1>`, whatever the PC is called, and `VPCS[1]>` where one process plays several. */
function parsePrompt(line: string): Prompt | undefined {
  const host = /^([\w.\-]+(?:\[\d+\])?)>$/.exec(line)?.[1];
  return host === undefined ? undefined : { host, mode: 'exec' };
}

const REFUSED =
  /^\s*(Bad command|Invalid|Incomplete|Unknown|Cannot|Can't|No such|Error)|not (on )?(the )?same subnet|is being used by|use duplicate/i;

export const vpcs: ConsoleDriver = {
  name: 'vpcs',
  family: 'vpcs',
  parsePrompt,
  enterAfterEcho: true,
  pager: { mark: /^\s*-- ?more ?--\s*/i, next: ' ', quit: 'q' },
  dialogs: [],
  questions: [],
  interrupt: '\x03',
  setup: [],
  refusal: (lines) => lines.find((line) => REFUSED.test(line)),
  hostAfter: (command) => /^set?\s+pcn(?:a|am|ame)?\s+(\S+)$/i.exec(command)?.[1],
  check: 'show ip',
};
