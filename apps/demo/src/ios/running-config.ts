import { formatIpv4, maskOf } from '../lab/ipv4';
import { isLoopback } from './interface-names';
import type { IosInterface, IosLine, IosState, OspfProcess, StaticRoute } from './ios-state';

/** The configuration as lines that would build it again; the same lines are saved and booted from. */
export function configurationLines(state: IosState): string[] {
  return [
    '!',
    'version 15.9',
    'service timestamps debug datetime msec',
    'service timestamps log datetime msec',
    '!',
    `hostname ${state.hostname}`,
    '!',
    ...(state.enableSecret === undefined ? [] : [`enable secret 5 ${state.enableSecret}`, '!']),
    ...state.kept.filter((line) => !isTail(line)),
    '!',
    ...sortedInterfaces(state).flatMap(interfaceLines),
    ...(state.ospf ? ospfLines(state.ospf) : []),
    ...state.routes.map(staticRouteLine),
    '!',
    ...state.kept.filter(isTail),
    ...[...state.lines.values()].flatMap(lineLines),
    '!',
    'end',
  ];
}

export function sortedInterfaces(state: IosState): IosInterface[] {
  const all = [...state.interfaces.values()];
  return [...all.filter((each) => isLoopback(each.name)), ...all.filter((each) => !isLoopback(each.name))];
}

export function interfaceLines(each: IosInterface): string[] {
  return [
    `interface ${each.name}`,
    ...(each.description === undefined ? [] : [` description ${each.description}`]),
    each.address === undefined
      ? ' no ip address'
      : ` ip address ${formatIpv4(each.address)} ${formatIpv4(maskOf(each.prefixLength))}`,
    ...(each.ospf ? [` ip ospf ${each.ospf.processId} area ${each.ospf.area}`] : []),
    ...(each.ospfCost === undefined ? [] : [` ip ospf cost ${each.ospfCost}`]),
    ...(each.shutdown ? [' shutdown'] : []),
    ...each.kept.map((line) => ` ${line}`),
    '!',
  ];
}

export function ospfLines(process: OspfProcess): string[] {
  return [
    `router ospf ${process.processId}`,
    ...(process.routerId === undefined ? [] : [` router-id ${formatIpv4(process.routerId)}`]),
    ...[...process.passive].map((name) => ` passive-interface ${name}`),
    ...process.networks.map(
      ({ base, wildcard, area }) => ` network ${formatIpv4(base)} ${formatIpv4(wildcard)} area ${area}`,
    ),
    '!',
  ];
}

export function staticRouteLine({ prefix, nextHop, exitPort, distance }: StaticRoute): string {
  const target = [exitPort, nextHop === undefined ? undefined : formatIpv4(nextHop)].filter(
    (part) => part !== undefined,
  );
  const far = distance === 1 ? '' : ` ${distance}`;
  return `ip route ${formatIpv4(prefix.network)} ${formatIpv4(maskOf(prefix.length))} ${target.join(' ')}${far}`;
}

function lineLines(line: IosLine): string[] {
  return [`line ${line.name}`, ...line.kept.map((kept) => ` ${kept}`)];
}

/** Banners and the like stand after the routes. */
function isTail(line: string): boolean {
  return line.startsWith('banner') || line.startsWith('ntp') || line.startsWith('snmp-server');
}
