import { formatIpv4 } from '../lab/ipv4';
import type { RouterView } from './router-view';
import type { OspfDomain } from './ospf-domain';

/**
 * Runs a configuration line, then logs what it changed: interfaces on this router's console,
 * OSPF neighbours on the console of every router that gained or lost one.
 */
export function noticeChanges<Result>(router: RouterView, change: () => Result): Result {
  const before = { interfaces: statuses(router), ospf: router.world.ospf() };
  const result = change();
  router.world.changed();
  for (const [name, status] of statuses(router)) {
    const old = before.interfaces.get(name) ?? 'up';
    if (old !== status) logStatus(router, name, old, status);
  }
  logNeighbours(router, before.ospf, router.world.ospf());
  return result;
}

function statuses(router: RouterView): Map<string, string> {
  return new Map(
    [...router.state.interfaces.values()].map((each) => [each.name, router.lineStatus(each).status]),
  );
}

function logStatus(router: RouterView, name: string, old: string, now: string): void {
  const level = now === 'administratively down' ? '%LINK-5-CHANGED' : '%LINK-3-UPDOWN';
  router.log(`${level}: Interface ${name}, changed state to ${now}`);
  if (old === 'up' || now === 'up') {
    router.log(
      `%LINEPROTO-5-UPDOWN: Line protocol on Interface ${name}, changed state to ${now === 'up' ? 'up' : 'down'}`,
    );
  }
}

function logNeighbours(router: RouterView, old: OspfDomain, now: OspfDomain): void {
  const reached = router.world.network.cabling;
  const near = router.plan.ports.flatMap((port) =>
    reached.reach({ node: router.name, port }).map((end) => end.node),
  );
  for (const name of new Set([router.name, ...near])) {
    const each = router.world.router(name);
    if (!each) continue;
    const had = neighbourKeys(old, name);
    const has = neighbourKeys(now, name);
    const processId = each.state.ospf?.processId ?? 1;
    for (const key of has) {
      if (!had.has(key))
        each.log(`%OSPF-5-ADJCHG: Process ${processId}, Nbr ${key} from LOADING to FULL, Loading Done`);
    }
    for (const key of had) {
      if (!has.has(key)) {
        each.log(
          `%OSPF-5-ADJCHG: Process ${processId}, Nbr ${key} from FULL to DOWN, Neighbor Down: Interface down or detached`,
        );
      }
    }
  }
}

function neighbourKeys(domain: OspfDomain, router: string): Set<string> {
  return new Set(
    domain.adjacencies(router).map((each) => `${formatIpv4(each.neighbourId)} on ${each.local.ip.port}`),
  );
}
