import { formatIpv4 } from '../../lab/ipv4';
import type { ExecContext } from '../exec-context';
import { routerId } from '../ospf-domain';

const NOT_RUNNING = '%OSPF: Router process is not running';

export function showOspfNeighbors({ router }: ExecContext): string[] {
  const adjacencies = router.world.ospf().adjacencies(router.name);
  if (adjacencies.length === 0) return [];
  const row = (
    id: string,
    priority: string,
    state: string,
    dead: string,
    address: string,
    port: string,
  ): string =>
    `${id.padEnd(16)}${priority.padEnd(6)}${state.padEnd(16)}${dead.padEnd(12)}${address.padEnd(16)}${port}`;
  return [
    '',
    row('Neighbor ID', 'Pri', 'State', 'Dead Time', 'Address', 'Interface'),
    ...adjacencies.map(({ local, neighbour, neighbourId }) => {
      // The higher address is taken for the designated router of the wire.
      const role = neighbour.address > local.ip.address ? 'DR' : 'BDR';
      const address = formatIpv4(neighbour.address);
      return row(formatIpv4(neighbourId), '  1', `FULL/${role}`, '00:00:35', address, local.ip.port);
    }),
  ];
}

export function showOspfInterfaceBrief({ router }: ExecContext): string[] {
  const domain = router.world.ospf();
  const process = router.state.ospf;
  if (!process) return [];
  const row = (parts: readonly string[]): string =>
    parts.map((part, index) => part.padEnd([13, 6, 16, 19, 6, 6, 0][index] ?? 0)).join('');
  return [
    row(['Interface', 'PID', 'Area', 'IP Address/Mask', 'Cost', 'State', 'Nbrs F/C']),
    ...domain.interfaces(router.name).map(({ ip, area, cost }) => {
      const full = domain.adjacencies(router.name).filter((each) => each.local.ip.port === ip.port).length;
      const short = ip.port.replace('GigabitEthernet', 'Gi').replace('Loopback', 'Lo');
      const state = ip.port.startsWith('Loopback') ? 'LOOP' : full > 0 ? 'BDR' : 'DR';
      const address = `${formatIpv4(ip.address)}/${ip.prefixLength}`;
      return row([
        short,
        String(process.processId),
        String(area),
        address,
        String(cost),
        state,
        `${full}/${full}`,
      ]);
    }),
  ];
}

export function showOspf({ router }: ExecContext): string[] {
  const process = router.state.ospf;
  if (!process) return [NOT_RUNNING];
  const areas = new Map<number, number>();
  for (const { area } of router.world.ospf().interfaces(router.name))
    areas.set(area, (areas.get(area) ?? 0) + 1);
  return [
    ` Routing Process "ospf ${process.processId}" with ID ${formatIpv4(routerId(router))}`,
    ' Supports only single TOS(TOS0) routes',
    ` Number of areas in this router is ${areas.size}. ${areas.size} normal 0 stub 0 nssa`,
    ...[...areas].flatMap(([area, count]) => [
      `    Area ${area === 0 ? 'BACKBONE(0)' : area}`,
      `        Number of interfaces in this area is ${count}`,
    ]),
  ];
}

export function showProtocols({ router }: ExecContext): string[] {
  const { ospf: process } = router.state;
  if (!process) return ['*** IP Routing is NSF aware ***', ''];
  const neighbours = router.world.ospf().adjacencies(router.name);
  return [
    '*** IP Routing is NSF aware ***',
    '',
    `Routing Protocol is "ospf ${process.processId}"`,
    '  Outgoing update filter list for all interfaces is not set',
    '  Incoming update filter list for all interfaces is not set',
    `  Router ID ${formatIpv4(routerId(router))}`,
    '  Maximum path: 4',
    '  Routing for Networks:',
    ...process.networks.map(
      (each) => `    ${formatIpv4(each.base)} ${formatIpv4(each.wildcard)} area ${each.area}`,
    ),
    ...(process.passive.size === 0
      ? []
      : ['  Passive Interface(s):', ...[...process.passive].map((name) => `    ${name}`)]),
    '  Routing Information Sources:',
    '    Gateway         Distance      Last Update',
    ...neighbours.map((each) => `    ${formatIpv4(each.neighbourId).padEnd(16)}     110      00:00:10`),
    '  Distance: (default is 110)',
    '',
  ];
}
