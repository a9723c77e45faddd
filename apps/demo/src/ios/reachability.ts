import type { PingOutcome } from '../lab/ip-network';
import { formatIpv4, parseIpv4, type Ipv4 } from '../lab/ipv4';
import { textArg } from './args';
import type { Args } from './command-tree';
import type { ExecContext } from './exec-context';
import { readInterfaceName } from './interface-names';
import type { RouterView } from './router-view';

interface PingOptions {
  readonly source?: Ipv4;
  readonly repeat: number;
  readonly sizeBytes: number;
  readonly timeoutSeconds: number;
}

export async function ping(context: ExecContext, args: Args): Promise<string[] | undefined> {
  const { router, terminal } = context;
  const host = textArg(args, 'host');
  const destination = resolveHost(host);
  if (destination === undefined) return unknownHost(host);
  const options = readOptions(router, args.get('options') ?? '');
  if (typeof options === 'string') return [options];
  terminal.print(
    `Type escape sequence to abort.\nSending ${options.repeat}, ${options.sizeBytes}-byte ICMP Echos to ${formatIpv4(destination)}, timeout is ${options.timeoutSeconds} seconds:\n`,
  );
  if (options.source !== undefined)
    terminal.print(`Packet sent with a source address of ${formatIpv4(options.source)} \n`);
  const { sent, received } = await sendEchos(context, destination, options);
  const percent = sent === 0 ? 0 : Math.round((100 * received) / sent);
  const times = received === 0 ? '' : ', round-trip min/avg/max = 1/2/4 ms';
  return ['', `Success rate is ${percent} percent (${received}/${sent})${times}`];
}

async function sendEchos(
  { router, terminal }: ExecContext,
  destination: Ipv4,
  options: PingOptions,
): Promise<{ sent: number; received: number }> {
  const { network, pace } = router.world;
  let received = 0;
  for (let sent = 0; sent < options.repeat; sent += 1) {
    const outcome = network.ping(router, destination, options.source);
    const mark = markOf(outcome, needsArp(router, destination), sent);
    if (mark === '!') received += 1;
    const waited = mark === '!' || (await terminal.pause(pace.pingIntervalMs * 2));
    if (!waited) return { sent, received };
    terminal.print(mark);
  }
  return { sent: options.repeat, received };
}

/** A router on the way answers every other packet only: IOS limits the rate of its unreachables. */
function markOf(outcome: PingOutcome, arpPending: boolean, sequence: number): string {
  switch (outcome.kind) {
    case 'reply':
      return arpPending ? '.' : '!';
    case 'unreachable':
      return sequence % 2 === 0 ? 'U' : '.';
    case 'no-route':
    case 'timeout':
      return '.';
  }
}

/** The packet that makes a router ask for a neighbour's MAC address is itself lost. */
function needsArp(router: RouterView, destination: Ipv4): boolean {
  const nextHop = router.nextHop(destination)?.nextHop;
  const isOwn = router.ipInterfaces().some((each) => each.address === destination);
  if (isOwn || nextHop === undefined || router.arpCache.has(nextHop)) return false;
  router.arpCache.add(nextHop);
  return true;
}

export async function traceroute(
  { router, terminal }: ExecContext,
  args: Args,
): Promise<string[] | undefined> {
  const host = textArg(args, 'host');
  const destination = resolveHost(host);
  if (destination === undefined) return unknownHost(host);
  const { network, pace } = router.world;
  terminal.print(
    `Type escape sequence to abort.\nTracing the route to ${formatIpv4(destination)}\nVRF info: (vrf in name/id, vrf out name/id)\n`,
  );
  const there = network.deliver(router, destination);
  for (const [index, address] of there.path.entries()) {
    terminal.print(
      `${String(index + 1).padStart(3)} ${formatIpv4(address)} ${index + 1} msec ${index + 2} msec ${index + 1} msec\n`,
    );
  }
  if (there.kind === 'delivered') return undefined;
  for (let hop = there.path.length + 1; hop <= 30; hop += 1) {
    terminal.print(`${String(hop).padStart(3)}  *  *  * \n`);
    if (!(await terminal.pause(pace.pingIntervalMs * 2))) return undefined;
  }
  return undefined;
}

function resolveHost(host: string): Ipv4 | undefined {
  return parseIpv4(host);
}

function unknownHost(host: string): string[] {
  return [`% Unrecognized host or address, or protocol not running: ${host}`];
}

/** Options in any order: `source Gi0/0 repeat 3 size 500 timeout 1`. */
function readOptions(router: RouterView, text: string): PingOptions | string {
  const options = { repeat: 5, sizeBytes: 100, timeoutSeconds: 2 };
  const words = text.split(/\s+/).filter((word) => word !== '');
  let source: Ipv4 | undefined;
  for (let index = 0; index < words.length; index += 2) {
    const [name = '', value = ''] = words.slice(index, index + 2);
    const number = Number(value);
    if ('source'.startsWith(name)) {
      source = sourceAddress(router, value);
      if (source === undefined)
        return `% Invalid source. Must use same-VRF IP address or full interface name without spaces (e.g. Serial0/1)`;
    } else if (!Number.isInteger(number) || number < 1 || number > 65535)
      return "% Invalid input detected at '^' marker.";
    else if ('repeat'.startsWith(name)) options.repeat = Math.min(number, 1000);
    else if ('size'.startsWith(name)) options.sizeBytes = number;
    else if ('timeout'.startsWith(name)) options.timeoutSeconds = number;
    else return "% Invalid input detected at '^' marker.";
  }
  return source === undefined ? options : { ...options, source };
}

function sourceAddress(router: RouterView, value: string): Ipv4 | undefined {
  const name = readInterfaceName(value);
  const address = parseIpv4(value);
  return router.ipInterfaces().find((each) => each.port === name || each.address === address)?.address;
}
