import { formatIpv4 } from '../../lab/ipv4';
import type { ExecContext } from '../exec-context';
import { neighbourTableName } from '../interface-names';

export function showCdpNeighbors({ router }: ExecContext): string[] {
  const seen = [...router.state.interfaces.values()].flatMap((each) => {
    if (router.lineStatus(each).protocol === 'down') return [];
    return router.world.network.cabling.reach({ node: router.name, port: each.name }).flatMap((end) => {
      const peer = router.world.router(end.node);
      const port = peer?.state.interfaces.get(end.port);
      if (!peer || !port || peer.lineStatus(port).protocol === 'down') return [];
      const id = peer.state.hostname.padEnd(17);
      return [
        `${id}${neighbourTableName(each.name).padEnd(18)}${'155'.padEnd(14)}R B  IOSv      ${neighbourTableName(end.port)}`,
      ];
    });
  });
  return [
    'Capability Codes: R - Router, T - Trans Bridge, B - Source Route Bridge',
    '                  S - Switch, H - Host, I - IGMP, r - Repeater, P - Phone, ',
    '                  D - Remote, C - CVTA, M - Two-port Mac Relay ',
    '',
    'Device ID        Local Intrfce     Holdtme    Capability  Platform  Port ID',
    ...seen,
    '',
    `Total cdp entries displayed : ${seen.length}`,
  ];
}

export function showArp({ router }: ExecContext): string[] {
  const row = (address: string, age: string, mac: string, port: string): string =>
    `Internet  ${address.padEnd(16)} ${age.padStart(10)}   ${mac}  ARPA   ${port}`;
  const own = router
    .ipInterfaces()
    .filter((each) => !each.port.startsWith('Loopback'))
    .map((each) => row(formatIpv4(each.address), '-', each.mac, each.port));
  const others = router.ipInterfaces().flatMap((each) =>
    router.world.network
      .neighbours(router.name, each.port)
      .filter((neighbour) => router.arpCache.has(neighbour.address))
      .map((neighbour) => row(formatIpv4(neighbour.address), '0', neighbour.mac, each.port)),
  );
  return ['Protocol  Address          Age (min)  Hardware Addr   Type   Interface', ...own, ...others];
}
