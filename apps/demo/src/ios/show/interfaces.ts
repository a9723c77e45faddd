import { formatIpv4 } from '../../lab/ipv4';
import type { Args } from '../command-tree';
import type { ExecContext } from '../exec-context';
import { isLoopback } from '../interface-names';
import type { IosInterface } from '../ios-state';
import type { RouterView } from '../router-view';
import { sortedInterfaces } from '../running-config';

export function showIpInterfaceBrief({ router }: ExecContext): string[] {
  const physicalFirst = [...sortedInterfaces(router.state)].sort(
    (left, right) => Number(isLoopback(left.name)) - Number(isLoopback(right.name)),
  );
  const row = (
    name: string,
    address: string,
    ok: string,
    method: string,
    status: string,
    protocol: string,
  ): string =>
    `${name.padEnd(27)}${address.padEnd(16)}${ok.padEnd(4)}${method.padEnd(7)}${status.padEnd(22)}${protocol}`;
  return [
    row('Interface', 'IP-Address', 'OK?', 'Method', 'Status', 'Protocol'),
    ...physicalFirst.map((each) => {
      const { status, protocol } = router.lineStatus(each);
      const address = each.address === undefined ? 'unassigned' : formatIpv4(each.address);
      const method = each.address === undefined && each.method === 'manual' ? 'unset' : each.method;
      return row(each.name, address, 'YES', method, status, protocol.padEnd(8));
    }),
  ];
}

export function showInterfaceDescriptions({ router }: ExecContext): string[] {
  const row = (name: string, status: string, protocol: string, text: string): string =>
    `${name.padEnd(31)}${status.padEnd(15)}${protocol.padEnd(9)}${text}`.trimEnd();
  return [
    row('Interface', 'Status', 'Protocol', 'Description'),
    ...sortedInterfaces(router.state).map((each) => {
      const { status, protocol } = router.lineStatus(each);
      const short = each.name.replace('GigabitEthernet', 'Gi').replace('Loopback', 'Lo');
      return row(short, status.replace('administratively', 'admin'), protocol, each.description ?? '');
    }),
  ];
}

export function showInterfaces({ router }: ExecContext, args: Args): string[] {
  return selected(router, args, (each) => {
    const { status, protocol } = router.lineStatus(each);
    const address =
      each.address === undefined
        ? []
        : [`  Internet address is ${formatIpv4(each.address)}/${each.prefixLength}`];
    const hardware = isLoopback(each.name)
      ? ['  Hardware is Loopback']
      : [`  Hardware is iGbE, address is ${each.mac} (bia ${each.mac})`];
    return [
      `${each.name} is ${status}, line protocol is ${protocol} `,
      ...hardware,
      ...(each.description === undefined ? [] : [`  Description: ${each.description}`]),
      ...address,
      `  MTU 1500 bytes, BW ${isLoopback(each.name) ? 8000000 : 1000000} Kbit/sec, DLY 10 usec, `,
      '     reliability 255/255, txload 1/255, rxload 1/255',
      `  Encapsulation ${isLoopback(each.name) ? 'LOOPBACK' : 'ARPA'}, loopback not set`,
      ...(isLoopback(each.name)
        ? []
        : ['  Keepalive set (10 sec)', '  Auto Duplex, Auto Speed, link type is auto, media type is RJ45']),
      '  Last clearing of "show interface" counters never',
      '  5 minute input rate 0 bits/sec, 0 packets/sec',
      '  5 minute output rate 0 bits/sec, 0 packets/sec',
      '     0 input errors, 0 CRC, 0 frame, 0 overrun, 0 ignored',
      '     0 output errors, 0 collisions, 0 interface resets',
    ];
  });
}

export function showIpInterface({ router }: ExecContext, args: Args): string[] {
  return selected(router, args, (each) => {
    const { status, protocol } = router.lineStatus(each);
    const first = `${each.name} is ${status}, line protocol is ${protocol}`;
    if (each.address === undefined) return [first, '  Internet protocol processing disabled'];
    return [
      first,
      `  Internet address is ${formatIpv4(each.address)}/${each.prefixLength}`,
      '  Broadcast address is 255.255.255.255',
      `  Address determined by ${each.method === 'manual' ? 'setup command' : 'non-volatile memory'}`,
      '  MTU is 1500 bytes',
      '  Outgoing access list is not set',
      '  Inbound  access list is not set',
    ];
  });
}

/** One interface when the line names it, else all of them. */
function selected(router: RouterView, args: Args, show: (each: IosInterface) => string[]): string[] {
  const name = args.get('name');
  if (name === undefined) return sortedInterfaces(router.state).flatMap(show);
  const each = router.state.interfaces.get(name);
  return each ? show(each) : ['%Invalid interface type and number'];
}
