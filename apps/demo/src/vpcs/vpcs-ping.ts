import type { Terminal } from '../consoles/terminal';
import type { PingOutcome } from '../lab/ip-network';
import { formatIpv4, parseIpv4, type Ipv4 } from '../lab/ipv4';
import type { VpcsView } from './vpcs-view';

const DEFAULT_COUNT = 5;
const MAX_COUNT = 1000;

export async function pingFrom(
  pc: VpcsView,
  terminal: Terminal,
  words: readonly string[],
): Promise<readonly string[]> {
  const host = words.find((word) => !word.startsWith('-')) ?? '';
  const destination = parseIpv4(host);
  if (destination === undefined) return [`Cannot resolve ${host}`, ''];
  const text = formatIpv4(destination);
  const count = countOption(words);
  terminal.print('\n');
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const outcome = pc.world.network.ping(pc, destination);
    if (outcome.kind === 'no-route')
      return [pc.current ? 'No gateway found' : `host (${text}) not reachable`, ''];
    const silent = sequence === 1 ? silentNeighbour(pc, destination) : undefined;
    if (silent !== undefined) return [`host (${formatIpv4(silent)}) not reachable`, ''];
    const isLost = outcome.kind === 'timeout';
    const waitMs = pc.world.pace.pingIntervalMs * (isLost ? 2 : sequence === 1 ? 0 : 1);
    if (!(await terminal.pause(waitMs))) return [''];
    terminal.print(`${replyLine(outcome, text, sequence)}\n`);
  }
  return [''];
}

export async function traceFrom(
  pc: VpcsView,
  terminal: Terminal,
  words: readonly string[],
): Promise<readonly string[]> {
  const destination = parseIpv4(words.find((word) => !word.startsWith('-')) ?? '');
  if (destination === undefined) return [`Cannot resolve ${words[0] ?? ''}`, ''];
  const there = pc.world.network.deliver(pc, destination);
  if (there.kind === 'no-route') return [`host (${formatIpv4(destination)}) not reachable`, ''];
  terminal.print(`trace to ${formatIpv4(destination)}, 8 hops max, press Ctrl+C to stop\n`);
  for (const [index, address] of there.path.slice(0, 8).entries()) {
    const isLast = there.kind === 'delivered' && index === there.path.length - 1;
    const note = isLast ? ' (ICMP type:3, code:3, Destination port unreachable)' : '';
    terminal.print(
      ` ${index + 1}   ${isLast ? '*' : ''}${formatIpv4(address)}   0.${index + 4}21 ms  0.${index + 3}12 ms  0.${index + 2}98 ms${note}\n`,
    );
  }
  for (let hop = there.path.length + 1; there.kind !== 'delivered' && hop <= 8; hop += 1) {
    terminal.print(` ${hop}     *  *  *\n`);
    if (!(await terminal.pause(pc.world.pace.pingIntervalMs))) return [''];
  }
  return [''];
}

/** The next hop, when nobody on the wire answers ARP for it. */
function silentNeighbour(pc: VpcsView, destination: Ipv4): Ipv4 | undefined {
  const hop = pc.nextHop(destination);
  const isOwn = pc.current?.address === destination;
  if (!hop || isOwn) return undefined;
  const answers = pc.world.network.neighbours(pc.name, hop.port).some((each) => each.address === hop.nextHop);
  return answers ? undefined : hop.nextHop;
}

function replyLine(outcome: PingOutcome, host: string, sequence: number): string {
  const time = `${(0.4 + ((sequence * 37) % 50) / 100).toFixed(3)} ms`;
  switch (outcome.kind) {
    case 'reply':
      return `84 bytes from ${host} icmp_seq=${sequence} ttl=${Math.max(1, 65 - outcome.hops)} time=${time}`;
    case 'unreachable':
      return `*${formatIpv4(outcome.by)} icmp_seq=${sequence} ttl=255 time=${time} (ICMP type:3, code:1, Destination host unreachable)`;
    case 'no-route':
    case 'timeout':
      return `${host} icmp_seq=${sequence} timeout`;
  }
}

function countOption(words: readonly string[]): number {
  const at = words.indexOf('-c');
  const count = at < 0 ? DEFAULT_COUNT : Number(words[at + 1]);
  return Number.isInteger(count) && count > 0 ? Math.min(count, MAX_COUNT) : DEFAULT_COUNT;
}
