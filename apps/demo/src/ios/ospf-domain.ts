import type { IpInterface, Route } from '../lab/ip-node';
import type { IpNetwork } from '../lab/ip-network';
import { matchesWildcard, networkOf, type Ipv4 } from '../lab/ipv4';
import { isLoopback } from './interface-names';
import type { IosState } from './ios-state';

/** The view of a router that OSPF works on. */
export interface OspfRouter {
  readonly name: string;
  readonly state: IosState;
  ipInterfaces(): readonly IpInterface[];
}

export interface OspfInterface {
  readonly ip: IpInterface;
  readonly area: number;
  readonly cost: number;
  readonly passive: boolean;
}

export interface Adjacency {
  readonly local: OspfInterface;
  readonly neighbour: IpInterface;
  readonly neighbourId: Ipv4;
}

/**
 * OSPF over the whole lab at one moment, read from the configurations: adjacencies, then shortest paths.
 * Each part is computed when it is first asked for; a change in the lab makes a new domain.
 */
export class OspfDomain {
  private readonly enabled = new Map<string, OspfInterface[]>();
  private readonly adjacent = new Map<string, Adjacency[]>();
  private readonly computed = new Map<string, Route[]>();

  constructor(
    private readonly routers: ReadonlyMap<string, OspfRouter>,
    private readonly network: IpNetwork,
  ) {}

  interfaces(router: string): readonly OspfInterface[] {
    return remembered(this.enabled, router, () => ospfInterfaces(this.routers.get(router)));
  }

  adjacencies(router: string): readonly Adjacency[] {
    return remembered(this.adjacent, router, () => this.adjacenciesOf(router));
  }

  /** Routes that a router learns, one an equal path, cheapest only. */
  routes(router: string): readonly Route[] {
    return remembered(this.computed, router, () => this.compute(router));
  }

  private adjacenciesOf(router: string): Adjacency[] {
    return this.interfaces(router)
      .filter((local) => !local.passive && !isLoopback(local.ip.port))
      .flatMap((local) =>
        this.network.neighbours(router, local.ip.port).flatMap((neighbour) => {
          const peer = this.routers.get(neighbour.node);
          const remote = this.interfaces(neighbour.node).find((each) => each.ip.port === neighbour.port);
          if (!peer || !remote || !canPair(local, remote)) return [];
          return [{ local, neighbour, neighbourId: routerId(peer) }];
        }),
      );
  }

  private compute(router: string): Route[] {
    const firstHops = this.shortestPaths(router);
    const ownAreas = new Set(this.interfaces(router).map((each) => each.area));
    const best = new Map<string, Route[]>();
    for (const [name, { cost, vias }] of firstHops) {
      if (name === router) continue;
      for (const advertised of this.interfaces(name)) {
        const length = isLoopback(advertised.ip.port) ? 32 : advertised.ip.prefixLength;
        const prefix = { network: networkOf(advertised.ip.address, length), length };
        const metric = cost + advertised.cost;
        const key = `${prefix.network}/${prefix.length}`;
        const known = best.get(key) ?? [];
        const bestMetric = known[0]?.metric ?? Infinity;
        if (metric > bestMetric) continue;
        const source = ownAreas.has(advertised.area) ? 'ospf' : 'ospf-inter-area';
        const routes = vias.map((via): Route => ({ prefix, source, distance: 110, metric, ...via }));
        best.set(key, metric < bestMetric ? routes : mergeVias(known, routes));
      }
    }
    return [...best.values()].flat();
  }

  /** Dijkstra; a router keeps the first hop of every cheapest path. */
  private shortestPaths(start: string): Map<string, { cost: number; vias: Via[] }> {
    const settled = new Map<string, { cost: number; vias: Via[] }>();
    const open = new Map<string, { cost: number; vias: Via[] }>([[start, { cost: 0, vias: [] }]]);
    for (let name = cheapest(open); name !== undefined; name = cheapest(open)) {
      const here = open.get(name) ?? { cost: 0, vias: [] };
      open.delete(name);
      settled.set(name, here);
      for (const { local, neighbour } of this.adjacencies(name)) {
        if (settled.has(neighbour.node)) continue;
        const cost = here.cost + local.cost;
        const vias = name === start ? [{ exitPort: local.ip.port, nextHop: neighbour.address }] : here.vias;
        const known = open.get(neighbour.node);
        if (!known || cost < known.cost) open.set(neighbour.node, { cost, vias });
        else if (cost === known.cost)
          open.set(neighbour.node, { cost, vias: uniqueVias([...known.vias, ...vias]) });
      }
    }
    return settled;
  }
}

function remembered<Value>(cache: Map<string, Value>, key: string, compute: () => Value): Value {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = compute();
  cache.set(key, value);
  return value;
}

interface Via {
  readonly exitPort: string;
  readonly nextHop: Ipv4;
}

/** The set id, else the highest loopback address, else the highest address, as the protocol says. */
export function routerId(router: OspfRouter): Ipv4 {
  const set = router.state.ospf?.routerId;
  if (set !== undefined) return set;
  const up = router.ipInterfaces();
  const loopbacks = up.filter((each) => isLoopback(each.port));
  return Math.max(0, ...(loopbacks.length > 0 ? loopbacks : up).map((each) => each.address));
}

function ospfInterfaces(router: OspfRouter | undefined): OspfInterface[] {
  const process = router?.state.ospf;
  if (!router || !process) return [];
  return router.ipInterfaces().flatMap((ip) => {
    const config = router.state.interfaces.get(ip.port);
    const byNetwork = process.networks.find((each) => matchesWildcard(ip.address, each.base, each.wildcard));
    const area = config?.ospf?.area ?? byNetwork?.area;
    if (area === undefined) return [];
    return [{ ip, area, cost: config?.ospfCost ?? 1, passive: process.passive.has(ip.port) }];
  });
}

function canPair(local: OspfInterface, remote: OspfInterface): boolean {
  const sameSubnet =
    local.ip.prefixLength === remote.ip.prefixLength &&
    networkOf(local.ip.address, local.ip.prefixLength) ===
      networkOf(remote.ip.address, remote.ip.prefixLength);
  return sameSubnet && local.area === remote.area && !remote.passive;
}

function cheapest(open: ReadonlyMap<string, { cost: number }>): string | undefined {
  let best: string | undefined;
  for (const [name, { cost }] of open) {
    if (best === undefined || cost < (open.get(best)?.cost ?? Infinity)) best = name;
  }
  return best;
}

function uniqueVias(vias: readonly Via[]): Via[] {
  return [...new Map(vias.map((via) => [`${via.exitPort} ${via.nextHop}`, via])).values()];
}

function mergeVias(known: readonly Route[], more: readonly Route[]): Route[] {
  return [...new Map([...known, ...more].map((each) => [`${each.exitPort} ${each.nextHop}`, each])).values()];
}
