import { abbreviates } from './words';

/** Longest pause that a `sleep` may make. */
const MAX_SLEEP_SECONDS = 30;

type Judge = (rest: readonly string[]) => boolean;

const always: Judge = () => true;
const never: Judge = () => false;
/** Without seconds it waits for a key. */
const shortPause: Judge = ([seconds = '']) =>
  /^\d+$/.test(seconds) && Number(seconds) >= 1 && Number(seconds) <= MAX_SLEEP_SECONDS;

/**
 * Every command of VPCS, and whether it may be sent. `!` runs a program on the machine of the lab server and
 * `rlogin` opens a connection from there; `load` runs whatever a file says; `relay` and the ports of `set`
 * cut or redirect the virtual cables; `quit` and `disconnect` end the console; `ping -t` never ends.
 */
const COMMANDS: Record<string, Judge> = {
  '?': always,
  arp: always,
  clear: always,
  dhcp: always,
  disconnect: never,
  echo: always,
  help: always,
  history: always,
  ip: always,
  load: never,
  neighbor: always,
  ping: (rest) => rest.length > 0 && !rest.some((word) => word.startsWith('-t')),
  quit: never,
  relay: never,
  rlogin: never,
  save: (rest) => rest.every((name) => /^[\w-][\w.-]*$/.test(name)),
  set: ([what = '']) => abbreviates(what, 'pcname', 1) || abbreviates(what, 'echo', 1),
  show: always,
  sleep: shortPause,
  trace: (rest) => rest.length > 0,
  tracer: (rest) => rest.length > 0,
  version: always,
  zzz: shortPause,
};

/** Why a command may not be sent to a VPCS, or undefined. A short form must be harmless however it is read. */
export function vpcsRefusal(command: string): string | undefined {
  const [first = '', ...rest] = command.trim().toLowerCase().split(/\s+/);
  const meant = Object.entries(COMMANDS).filter(([name]) => abbreviates(first, name, 1));
  if (meant.length > 0 && meant.every(([, judge]) => judge(rest))) return undefined;
  return `Command '${command}' is not allowed on a VPCS. Allowed: ${allowed()}.`;
}

function allowed(): string {
  const names = Object.entries(COMMANDS).filter(([, judge]) => judge !== never);
  return names.map(([name]) => (name === 'set' ? 'set pcname' : name)).join(', ');
}
