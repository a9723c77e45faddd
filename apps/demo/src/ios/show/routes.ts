import type { Route, RouteSource } from '../../lab/ip-node';
import { classfulPrefix, contains, formatIpv4, formatPrefix, type Prefix } from '../../lab/ipv4';
import { ipArg } from '../args';
import type { Args } from '../command-tree';
import type { ExecContext } from '../exec-context';
import { longestMatch } from '../routing-table';

const LEGEND = [
  'Codes: L - local, C - connected, S - static, R - RIP, M - mobile, B - BGP',
  '       D - EIGRP, EX - EIGRP external, O - OSPF, IA - OSPF inter area ',
  '       N1 - OSPF NSSA external type 1, N2 - OSPF NSSA external type 2',
  '       E1 - OSPF external type 1, E2 - OSPF external type 2',
  '       i - IS-IS, su - IS-IS summary, L1 - IS-IS level-1, L2 - IS-IS level-2',
  '       ia - IS-IS inter area, * - candidate default, U - per-user static route',
  '',
];

const CODES: Record<RouteSource, string> = {
  connected: 'C',
  local: 'L',
  static: 'S',
  ospf: 'O',
  'ospf-inter-area': 'O IA',
};

export function showRoutes(
  { router }: ExecContext,
  _args: Args | undefined,
  sources: readonly RouteSource[] = ['connected', 'local', 'static', 'ospf', 'ospf-inter-area'],
): string[] {
  const all = router.routes();
  const fallback = all.find((route) => route.prefix.length === 0);
  const resort =
    fallback?.nextHop === undefined
      ? 'Gateway of last resort is not set'
      : `Gateway of last resort is ${formatIpv4(fallback.nextHop)} to network 0.0.0.0`;
  return [...LEGEND, resort, '', ...grouped(all.filter((route) => sources.includes(route.source)))];
}

export function showRouteTo({ router }: ExecContext, args: Args): string[] {
  const route = longestMatch(router.routes(), ipArg(args, 'destination'));
  if (!route) return ['% Network not in table'];
  const known = {
    connected: 'connected',
    local: 'connected',
    static: 'static',
    ospf: 'ospf 1',
    'ospf-inter-area': 'ospf 1',
  };
  const via = route.nextHop === undefined ? 'directly connected' : formatIpv4(route.nextHop);
  return [
    `Routing entry for ${formatPrefix(route.prefix)}`,
    `  Known via "${known[route.source]}", distance ${route.distance}, metric ${route.metric}`,
    '  Routing Descriptor Blocks:',
    `  * ${via}${route.exitPort === undefined ? '' : `, via ${route.exitPort}`}`,
    `      Route metric is ${route.metric}, traffic share count is 1`,
  ];
}

/** Subnets stand below the classful network that they belong to, its own routes among them. */
function grouped(routes: readonly Route[]): string[] {
  const lines: string[] = [];
  let open: string | undefined;
  for (const route of routes) {
    const whole = classfulPrefix(route.prefix.network);
    const members = route.prefix.length < whole.length ? [] : routes.filter((each) => belongsTo(whole, each));
    const isGroup = members.some((each) => each.prefix.length > whole.length);
    if (isGroup && open !== formatPrefix(whole)) lines.push(groupHeader(whole, members));
    open = isGroup ? formatPrefix(whole) : undefined;
    lines.push(...routeLines(route, isGroup, routes));
  }
  return lines;
}

function belongsTo(whole: Prefix, route: Route): boolean {
  return route.prefix.length >= whole.length && contains(whole, route.prefix.network);
}

function groupHeader(whole: Prefix, members: readonly Route[]): string {
  const subnets = new Set(members.map((each) => formatPrefix(each.prefix))).size;
  const masks = new Set(members.map((each) => each.prefix.length));
  const [length] = masks;
  if (masks.size === 1)
    return `      ${formatIpv4(whole.network)}/${length} is subnetted, ${subnets} subnets`;
  return `      ${formatPrefix(whole)} is variably subnetted, ${subnets} subnets, ${masks.size} masks`;
}

function routeLines(route: Route, isSubnet: boolean, all: readonly Route[]): string[] {
  const isDefault = route.prefix.length === 0 ? '*' : '';
  const code = `${CODES[route.source]}${isDefault}`.padEnd(isSubnet ? 9 : 6);
  const samePrefix = all.filter((each) => formatPrefix(each.prefix) === formatPrefix(route.prefix));
  const text = `${formatPrefix(route.prefix)} ${describe(route)}`;
  if (samePrefix[0] === route) return [`${code}${text}`];
  // A further path of the same prefix stands under the first one.
  return [`${' '.repeat(code.length + formatPrefix(route.prefix).length + 1)}${describe(route)}`];
}

function describe(route: Route): string {
  if (route.source === 'connected' || route.source === 'local')
    return `is directly connected, ${route.exitPort}`;
  if (route.nextHop === undefined) return `is directly connected, ${route.exitPort}`;
  const cost = `[${route.distance}/${route.metric}]`;
  const age = route.source === 'static' ? '' : ', 00:00:10';
  return `${cost} via ${formatIpv4(route.nextHop)}${age}${route.exitPort === undefined ? '' : `, ${route.exitPort}`}`;
}
