import { bannerRefusal, joinBanners } from './ios-banner';
import type { ConfigStep, ConsoleDriver, Prompt, PromptMode, Question } from './driver';

const PROMPT = /^([A-Za-z0-9][\w.\-/:@+~]*)(\([\w\-./: ]+\))?([>#])$/;

export function parseIosPrompt(line: string): Prompt | undefined {
  const [, host, submode, end] = PROMPT.exec(line) ?? [];
  if (host === undefined) return undefined;
  if (submode !== undefined) return end === '#' ? { host, mode: 'config' } : undefined;
  return { host, mode: end === '#' ? 'exec' : 'user' };
}

/** The wizard of a device without configuration. `no` is what is typed while looking for the prompt. */
export const IOS_DIALOGS: readonly Question[] = [
  { pattern: /configuration dialog\?\s*\[yes\/no\]:?$/i, yes: 'yes\r', no: 'no\r' },
  // Autoinstall is ended, or the console is not free for minutes.
  { pattern: /terminate autoinstall\?\s*\[yes(\/no)?\]:?$/i, yes: 'yes\r', no: 'yes\r' },
  { pattern: /basic management setup\?\s*\[yes\/no\]:?$/i, yes: 'yes\r', no: 'no\r' },
];

export const IOS_QUESTIONS: readonly Question[] = [
  { pattern: /\[confirm\]$/i, yes: '\r', no: 'n' },
  { pattern: /\[yes\/no\](\s*\[(yes|no)\])?:?$/i, yes: 'yes\r', no: 'no\r' },
  { pattern: /[[(]y\/n[\])]\s*(\[[yn]\])?\??:?$/i, yes: 'y\r', no: 'n\r' },
  // The default in brackets is taken: file names, key sizes, addresses.
  { pattern: /\?\s*\[[^\]]*\]:?$|\[[^\]]*\]\?$|modulus \[\d+\]:$/i, yes: '\r', no: '\x03' },
];

/** A command that the device did not understand. Other `%` lines of a show command are answers. */
const NOT_UNDERSTOOD =
  /^\s*% ?(Invalid input|Incomplete command|Ambiguous command|Unrecognized (command|host)|Unknown command|Bad (IP|mask)|Authorization failed|Access denied|Permission denied)/i;
/** Configuration lines that say something and refuse nothing. */
const REMARK =
  /^% ?(Warning|Info|Note|Generating|You already|Saving|Login|Using|Enter|Default route|Configuring|Interface .*(disabled|removed|enabled)|.*(address\(es\)|addresses) removed|[\w\s]+ will (now )?be (removed|disabled|enabled|used)|Previous|Updating)/i;
const SYSLOG = /%[A-Z][A-Z0-9_]*(-[A-Z0-9_]+)*-[0-7]-[A-Z0-9_]+:/;
const REJECTED = /^\s*(Command rejected|ERROR|Error)\b\s*:/;

export function iosRefusal(lines: readonly string[], mode: PromptMode, command: string): string | undefined {
  const configures = mode === 'config' && !/^do\s/i.test(command);
  return lines.find((line) => {
    if (NOT_UNDERSTOOD.test(line) || REJECTED.test(line)) return true;
    return configures && /^% ?\w/.test(line) && !SYSLOG.test(line) && !REMARK.test(line);
  });
}

const ENTER_CONFIG = /^conf(?:i|ig|igu|igur|igure)?(?:\s+t(?:e|er|erm|ermi|ermin|ermina|erminal)?)?$/i;
const SAVE = /^(?:do\s+)?(wr(?:i|it|ite)?(?:\s+mem(?:o|or|ory)?)?|copy\s+run\S*\s+start\S*)$/i;

/** Saving is an exec command; `do` gives it without leaving the interface or router being configured. */
export function iosConfigStep(line: string): ConfigStep {
  if (ENTER_CONFIG.test(line) || /^en(a|ab|abl|able)?$/i.test(line)) return { kind: 'skip' };
  const save = SAVE.exec(line)?.[1];
  if (save !== undefined) return { kind: 'config', text: `do ${save}` };
  return { kind: 'config', text: line };
}

export function iosHostAfter(command: string): string | undefined {
  if (/^no\s+hostname\b/i.test(command)) return 'Router';
  return /^host(?:n|na|nam|name)?\s+"?([^\s"]+)"?$/i.exec(command)?.[1];
}

export const ciscoIos: ConsoleDriver = {
  name: 'cisco_ios',
  family: 'ios',
  parsePrompt: parseIosPrompt,
  pager: { mark: /^\s*<?-+ ?more ?-+>?\s*/i, next: ' ', quit: 'q' },
  dialogs: IOS_DIALOGS,
  questions: IOS_QUESTIONS,
  // Ctrl-^ stops a ping, Ctrl-C a half-typed line or a dialog.
  interrupt: '\x1e\x03',
  enable: 'enable',
  setup: ['terminal length 0', 'terminal width 511'],
  config: {
    enter: 'configure terminal',
    leave: 'end',
    join: joinBanners,
    refuse: bannerRefusal,
    step: iosConfigStep,
  },
  refusal: iosRefusal,
  hostAfter: iosHostAfter,
  check: 'show running-config',
};
