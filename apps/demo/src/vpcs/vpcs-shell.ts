import type { Terminal } from '../consoles/terminal';
import { formatIpv4 } from '../lab/ipv4';
import { addressReport, readAddress } from './vpcs-state';
import { pingFrom, traceFrom } from './vpcs-ping';
import type { VpcsView } from './vpcs-view';

const HELP = [
  '',
  '?                        Print help',
  'arp                      Shortcut for: show arp. Show arp table',
  'clear ARG                Clear IPv4 or arp',
  'ip ARG ... [OPTION]      Configure the address, the mask and the gateway of the PC',
  'ping HOST [OPTION ...]   Ping HOST with ICMP (default). See ping /?',
  'save                     Save the configuration to the startup file',
  'show [ARG ...]           Print the information of the PC. See show /?',
  'trace HOST [OPTION ...]  Print the path packets take to HOST',
  'version                  Shortcut for: show version',
  '',
];

const VERSION = ['', 'Welcome to Virtual PC Simulator, version 0.8.3 (demo simulation)', ''];

type Command = (
  pc: VpcsView,
  terminal: Terminal,
  words: readonly string[],
) => Promise<readonly string[]> | readonly string[];

const COMMANDS: Readonly<Record<string, Command>> = {
  '?': () => HELP,
  arp: showArp,
  clear,
  help: () => HELP,
  ip: setIp,
  ping: async (pc, terminal, words) => pingFrom(pc, terminal, words),
  save: (pc) => {
    pc.save();
    return ['Saving startup configuration to startup.vpc', '.  done'];
  },
  show,
  trace: async (pc, terminal, words) => traceFrom(pc, terminal, words),
  version: () => VERSION,
};

export async function runVpcs(pc: VpcsView, terminal: Terminal): Promise<never> {
  for (;;) {
    const typed = await terminal.readLine(`${pc.name}> `);
    const line = typed.text.trim();
    if (typed.end !== 'enter' || line === '') continue;
    pc.world.record(pc.name, typed.text, 'vpcs');
    const { latencyMs } = pc.world.pace;
    if (latencyMs > 0) await terminal.pause(latencyMs);
    const output = await obey(pc, terminal, line);
    terminal.print(`${output.join('\n')}\n`);
  }
}

async function obey(pc: VpcsView, terminal: Terminal, line: string): Promise<readonly string[]> {
  const [name = '', ...words] = line.split(/\s+/);
  const names = Object.keys(COMMANDS).filter((known) => known.startsWith(name.toLowerCase()));
  const exact = names.includes(name.toLowerCase()) ? name.toLowerCase() : names[0];
  const command =
    exact !== undefined && (names.length === 1 || exact === name.toLowerCase()) ? COMMANDS[exact] : undefined;
  return command ? command(pc, terminal, words) : [`Bad command: "${line}". Use ? for help.`, ''];
}

async function setIp(pc: VpcsView, terminal: Terminal, words: readonly string[]): Promise<readonly string[]> {
  if (words[0] === 'dhcp') return askDhcp(terminal, pc);
  const address = readAddress(words);
  if (address === undefined) return ['Invalid address', ''];
  if (address === 'not same subnet') return ['not same subnet', ''];
  terminal.print('Checking for duplicate address...\n');
  await terminal.pause(pc.world.pace.pingIntervalMs);
  const owner = pc.world.network
    .neighbours(pc.name, 'Ethernet0')
    .find((each) => each.address === address.address);
  if (owner)
    return [`${formatIpv4(address.address)} is being used by MAC ${owner.mac}`, 'Address not changed', ''];
  pc.setAddress(address);
  return [addressReport(pc.name, address), ''];
}

/** There is no DHCP server in this lab; the client sends its three discoveries and gives up. */
async function askDhcp(terminal: Terminal, pc: VpcsView): Promise<readonly string[]> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    terminal.print('D');
    if (!(await terminal.pause(pc.world.pace.pingIntervalMs))) return ['', ''];
  }
  return ['', "Can't find dhcp server", ''];
}

function show(pc: VpcsView, _terminal: Terminal, words: readonly string[]): readonly string[] {
  const [what = 'ip'] = words;
  if ('arp'.startsWith(what)) return showArp(pc);
  if ('version'.startsWith(what)) return VERSION;
  if (!'ip'.startsWith(what)) return [`Invalid arguments for show: ${what}`, ''];
  const { current } = pc;
  return [
    '',
    `NAME        : ${pc.name}[1]`,
    `IP/MASK     : ${formatIpv4(current?.address ?? 0)}/${current?.prefixLength ?? 0}`,
    `GATEWAY     : ${formatIpv4(current?.gateway ?? 0)}`,
    'DNS         : ',
    `MAC         : ${pc.mac}`,
    `LPORT       : ${20000 + 2 * pc.index}`,
    `RHOST:PORT  : 127.0.0.1:${20001 + 2 * pc.index}`,
    'MTU         : 1500',
    '',
  ];
}

function showArp(pc: VpcsView): readonly string[] {
  const seen = pc.world.network.neighbours(pc.name, 'Ethernet0');
  if (!pc.current || seen.length === 0) return ['arp table is empty', ''];
  return ['', ...seen.map((each) => `${each.mac}  ${formatIpv4(each.address)} expires in 110 seconds`), ''];
}

function clear(pc: VpcsView, _terminal: Terminal, words: readonly string[]): readonly string[] {
  if (words[0] === 'ip') {
    pc.setAddress(undefined);
    return ['IPv4 address/mask, gateway, DNS, and DHCP cleared', ''];
  }
  return words[0] === 'arp' ? [''] : ['Incomplete command.', ''];
}
