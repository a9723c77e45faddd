import { formatIpv4, networkOf, wildcardOf, type Ipv4 } from '../../lab/ipv4';
import { ipArg, maskLengthArg, numberArg, textArg } from '../args';
import type { Args } from '../command-tree';
import type { ConfigAction, ConfigContext } from './config-context';
import { isLoopback } from '../interface-names';
import type { IosInterface, IosState } from '../ios-state';
import { configMode, keepLines, keepSwitches } from './shell-words';

const KEPT = [
  'bandwidth <text:line>',
  'delay <text:line>',
  'duplex <text:line>',
  'ip mtu <text:line>',
  'ip ospf network <text:line>',
  'load-interval <text:line>',
  'media-type <text:line>',
  'mtu <text:line>',
  'negotiation <text:line>',
  'speed <text:line>',
];

export const interfaceCommands = configMode()
  .add('ip address <address:address> <mask:mask>', onInterface(setAddress))
  .add('no ip address', onInterface(clearAddress))
  .add('no ip address <address:address> <mask:mask>', onInterface(clearAddress))
  .add(
    'description <text:line>',
    onInterface((each, args) => void (each.description = textArg(args, 'text'))),
  )
  .add(
    'no description',
    onInterface((each) => void delete each.description),
  )
  .add(
    'shutdown',
    onInterface((each) => void (each.shutdown = true)),
  )
  .add(
    'no shutdown',
    onInterface((each) => void (each.shutdown = false)),
  )
  .add('ip ospf <process:number:1-65535> area <area:number>', onInterface(joinOspf))
  .add(
    'no ip ospf <process:number:1-65535> area <area:number>',
    onInterface((each) => void delete each.ospf),
  )
  .add(
    'ip ospf cost <cost:number:1-65535>',
    onInterface((each, args) => void (each.ospfCost = numberArg(args, 'cost'))),
  )
  .add(
    'no ip ospf cost',
    onInterface((each) => void delete each.ospfCost),
  );

keepLines(interfaceCommands, KEPT, keptOf);
keepSwitches(interfaceCommands, ['cdp enable'], keptOf);

type InterfaceAction = (each: IosInterface, args: Args, state: IosState) => string[] | void;

function onInterface(action: InterfaceAction): ConfigAction {
  return ({ state, target }, args) => {
    const each = target.kind === 'interface' ? state.interfaces.get(target.name) : undefined;
    return (each && action(each, args, state)) ?? undefined;
  };
}

function keptOf({ state, target }: ConfigContext): string[] | undefined {
  return target.kind === 'interface' ? state.interfaces.get(target.name)?.kept : undefined;
}

function setAddress(each: IosInterface, args: Args, state: IosState): string[] | undefined {
  const address = ipArg(args, 'address');
  const length = maskLengthArg(args, 'mask');
  if (!isHostAddress(address, length, isLoopback(each.name))) {
    return [`Bad mask /${length} for address ${formatIpv4(address)}`];
  }
  const other = overlapping(state, each, address, length);
  if (other) return [`% ${formatIpv4(networkOf(address, length))} overlaps with ${other.name}`];
  each.address = address;
  each.prefixLength = length;
  each.method = 'manual';
  return undefined;
}

function clearAddress(each: IosInterface): undefined {
  delete each.address;
  each.prefixLength = 0;
}

function joinOspf(each: IosInterface, args: Args, state: IosState): undefined {
  const processId = numberArg(args, 'process');
  state.ospf ??= { processId, networks: [], passive: new Set() };
  each.ospf = { processId, area: numberArg(args, 'area') };
}

/** The first and last address of a subnet are no host's, except in /31 and /32. */
function isHostAddress(address: Ipv4, length: number, allowsHostMask: boolean): boolean {
  if (length === 32) return allowsHostMask;
  if (length === 31) return true;
  const network = networkOf(address, length);
  return length > 0 && address !== network && address !== (network | wildcardOf(length)) >>> 0;
}

function overlapping(
  state: IosState,
  own: IosInterface,
  address: Ipv4,
  length: number,
): IosInterface | undefined {
  return [...state.interfaces.values()].find((other) => {
    if (other === own || other.address === undefined) return false;
    const shared = Math.min(length, other.prefixLength);
    return networkOf(address, shared) === networkOf(other.address, shared);
  });
}
