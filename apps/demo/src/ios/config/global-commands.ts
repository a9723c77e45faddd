import { createHash } from 'node:crypto';
import { ipArg, maskLengthArg, numberArg, optionalIpArg, textArg } from '../args';
import type { Args } from '../command-tree';
import type { ConfigAction, ConfigContext } from './config-context';
import { isLoopback } from '../interface-names';
import { loopback, type StaticRoute } from '../ios-state';
import { networkOf } from '../../lab/ipv4';
import { configMode, keepLines, keepSwitches } from './shell-words';

const KEPT = [
  'aaa <text:line>',
  'banner <text:line>',
  'clock <text:line>',
  'crypto <text:line>',
  'ip domain name <text:line>',
  'ip name-server <text:line>',
  'ip ssh <text:line>',
  'logging <text:line>',
  'ntp <text:line>',
  'service <text:line>',
  'snmp-server <text:line>',
  'username <text:line>',
];
const SWITCHES = ['ip domain lookup', 'ip domain-lookup', 'ip cef', 'ip http server', 'cdp run'];

export const globalCommands = configMode()
  .add('hostname <name:word>', ({ state }, args) => {
    const name = textArg(args, 'name');
    if (!/^[A-Za-z][A-Za-z0-9.-]{0,62}$/.test(name))
      return ['% Hostname contains one or more illegal characters.', ''];
    state.hostname = name;
    return undefined;
  })
  .add('no hostname', ({ state }) => {
    state.hostname = 'Router';
  })
  .add('enable secret <password:word>', ({ state }, args) => {
    state.enableSecret = hashSecret(textArg(args, 'password'));
  })
  .add('enable secret 5 <hash:word>', ({ state }, args) => {
    state.enableSecret = textArg(args, 'hash');
  })
  .add('no enable secret', ({ state }) => {
    delete state.enableSecret;
  })
  .add('interface <name:interface>', enterInterface)
  .add('no interface <name:interface>', removeInterface)
  .add('router ospf <process:number:1-65535>', enterOspf)
  .add('no router ospf <process:number:1-65535>', ({ state }, args) => {
    if (state.ospf?.processId === numberArg(args, 'process')) delete state.ospf;
    return undefined;
  })
  .add('ip route <network:address> <mask:mask> <next-hop:address>', addRoute)
  .add('ip route <network:address> <mask:mask> <next-hop:address> <distance:number:1-255>', addRoute)
  .add('ip route <network:address> <mask:mask> <exit:interface>', addRoute)
  .add('ip route <network:address> <mask:mask> <exit:interface> <next-hop:address>', addRoute)
  .add('no ip route <network:address> <mask:mask>', removeRoutes)
  .add('no ip route <network:address> <mask:mask> <next-hop:address>', removeRoutes)
  .add('no ip route <network:address> <mask:mask> <exit:interface>', removeRoutes)
  .add('line console <first:number:0-0>', enterLine('con'))
  .add('line aux <first:number:0-0>', enterLine('aux'))
  .add('line vty <first:number:0-15>', enterLine('vty'))
  .add('line vty <first:number:0-15> <last:number:1-15>', enterLine('vty'));

keepLines(globalCommands, KEPT, ({ state }) => state.kept);
keepSwitches(globalCommands, SWITCHES, ({ state }) => state.kept);

/** Passwords are never kept in the clear; the same text gives the same hash. */
export function hashSecret(password: string): string {
  return `$1$demo$${createHash('sha256').update(password).digest('base64url').slice(0, 22)}`;
}

function enterInterface(context: ConfigContext, args: Args): string[] | undefined {
  const name = textArg(args, 'name');
  const { interfaces } = context.state;
  if (!interfaces.has(name)) {
    if (!isLoopback(name)) return ['%Invalid interface type and number'];
    interfaces.set(name, loopback(name));
  }
  context.target = { kind: 'interface', name };
  return undefined;
}

function removeInterface({ state }: ConfigContext, args: Args): string[] | undefined {
  const name = textArg(args, 'name');
  if (!isLoopback(name)) return ['% Removal of physical interfaces is not permitted'];
  state.interfaces.delete(name);
  return undefined;
}

function enterOspf(context: ConfigContext, args: Args): string[] | undefined {
  const processId = numberArg(args, 'process');
  const { state } = context;
  if (state.ospf && state.ospf.processId !== processId) {
    return [`% This router runs one OSPF process only, and process ${state.ospf.processId} is configured`];
  }
  state.ospf ??= { processId, networks: [], passive: new Set() };
  context.target = { kind: 'router' };
  return undefined;
}

function addRoute({ state }: ConfigContext, args: Args): string[] | undefined {
  const length = maskLengthArg(args, 'mask');
  const network = ipArg(args, 'network');
  if (networkOf(network, length) !== network) return ['%Inconsistent address and mask'];
  const nextHop = optionalIpArg(args, 'next-hop');
  const exitPort = args.get('exit');
  const route: StaticRoute = {
    prefix: { network, length },
    distance: args.has('distance') ? numberArg(args, 'distance') : 1,
    ...(nextHop === undefined ? {} : { nextHop }),
    ...(exitPort === undefined ? {} : { exitPort }),
  };
  state.routes = [...state.routes.filter((each) => !sameRoute(each, route)), route];
  return undefined;
}

function removeRoutes({ state }: ConfigContext, args: Args): string[] | undefined {
  const prefix = { network: ipArg(args, 'network'), length: maskLengthArg(args, 'mask') };
  const nextHop = optionalIpArg(args, 'next-hop');
  const exitPort = args.get('exit');
  const kept = state.routes.filter(
    (each) =>
      each.prefix.network !== prefix.network ||
      each.prefix.length !== prefix.length ||
      (nextHop !== undefined && each.nextHop !== nextHop) ||
      (exitPort !== undefined && each.exitPort !== exitPort),
  );
  if (kept.length === state.routes.length) return ['%No matching route to delete'];
  state.routes = kept;
  return undefined;
}

function sameRoute(left: StaticRoute, right: StaticRoute): boolean {
  return (
    left.prefix.network === right.prefix.network &&
    left.prefix.length === right.prefix.length &&
    left.nextHop === right.nextHop &&
    left.exitPort === right.exitPort
  );
}

function enterLine(type: 'con' | 'aux' | 'vty'): ConfigAction {
  return (context, args) => {
    const name = [type, args.get('first'), args.get('last')].filter((part) => part !== undefined).join(' ');
    const { lines } = context.state;
    if (!lines.has(name)) lines.set(name, { name, kept: [] });
    context.target = { kind: 'line', name };
    return undefined;
  };
}
