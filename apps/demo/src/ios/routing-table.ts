import type { Hop, IpInterface, Route } from '../lab/ip-node';
import { contains, networkOf, type Ipv4 } from '../lab/ipv4';
import type { StaticRoute } from './ios-state';

const MAX_RECURSION = 8;

/** The routes that a router would use: one source a prefix, the one with the lowest distance. */
export function routingTable(
  interfaces: readonly IpInterface[],
  statics: readonly StaticRoute[],
  learned: readonly Route[],
): Route[] {
  const connected = interfaces.flatMap(connectedRoutes);
  const usable = statics.filter((route) => isUsable(route, interfaces, connected)).map(toRoute);
  const best = new Map<string, Route[]>();
  for (const route of [...connected, ...usable, ...learned]) {
    const key = `${route.prefix.network}/${route.prefix.length}`;
    const known = best.get(key) ?? [];
    const lowest = known[0]?.distance ?? Infinity;
    if (route.distance < lowest) best.set(key, [route]);
    else if (route.distance === lowest) known.push(route);
  }
  return [...best.values()].flat().sort(byPrefix);
}

/** Longest match, then next hops resolved until one is on a connected network. */
export function resolve(table: readonly Route[], destination: Ipv4, depth = 0): Hop | undefined {
  const route = longestMatch(table, destination);
  if (!route || depth > MAX_RECURSION) return undefined;
  if (route.nextHop === undefined)
    return route.exitPort ? { port: route.exitPort, nextHop: destination } : undefined;
  if (route.exitPort) return { port: route.exitPort, nextHop: route.nextHop };
  const via = resolve(table, route.nextHop, depth + 1);
  return via;
}

export function longestMatch(table: readonly Route[], destination: Ipv4): Route | undefined {
  let best: Route | undefined;
  for (const route of table) {
    if (contains(route.prefix, destination) && (!best || route.prefix.length > best.prefix.length))
      best = route;
  }
  return best;
}

function connectedRoutes(each: IpInterface): Route[] {
  const subnet = { network: networkOf(each.address, each.prefixLength), length: each.prefixLength };
  const common = { distance: 0, metric: 0, exitPort: each.port };
  const connected: Route = { prefix: subnet, source: 'connected', ...common };
  if (each.prefixLength === 32) return [connected];
  return [connected, { prefix: { network: each.address, length: 32 }, source: 'local', ...common }];
}

/** A static route is in the table only while its way out is up. */
function isUsable(
  route: StaticRoute,
  interfaces: readonly IpInterface[],
  connected: readonly Route[],
): boolean {
  if (route.exitPort !== undefined && route.exitPort !== 'Null0') {
    return interfaces.some((each) => each.port === route.exitPort);
  }
  const { nextHop } = route;
  return (
    nextHop === undefined ||
    connected.some((each) => each.source === 'connected' && contains(each.prefix, nextHop))
  );
}

function toRoute(route: StaticRoute): Route {
  return {
    prefix: route.prefix,
    source: 'static',
    distance: route.distance,
    metric: 0,
    ...(route.exitPort === undefined ? {} : { exitPort: route.exitPort }),
    ...(route.nextHop === undefined ? {} : { nextHop: route.nextHop }),
  };
}

function byPrefix(left: Route, right: Route): number {
  return left.prefix.network - right.prefix.network || left.prefix.length - right.prefix.length;
}
