import type { ExecTree } from '../exec-context';
import { configurationLines, interfaceLines } from '../running-config';
import { textArg } from '../args';
import { showArp, showCdpNeighbors } from './neighbours';
import {
  showInterfaceDescriptions,
  showInterfaces,
  showIpInterface,
  showIpInterfaceBrief,
} from './interfaces';
import { showOspf, showOspfInterfaceBrief, showOspfNeighbors, showProtocols } from './ospf';
import { showRoutes, showRouteTo } from './routes';
import { showClock, showInventory, showVersion } from './system';

/** The shows of both exec modes. */
export function addShows(tree: ExecTree): void {
  tree
    .add('show arp', showArp)
    .add('show cdp neighbors', showCdpNeighbors)
    .add('show clock', showClock)
    .add('show interfaces', showInterfaces)
    .add('show interfaces <name:interface>', showInterfaces)
    .add('show interfaces description', showInterfaceDescriptions)
    .add('show inventory', showInventory)
    .add('show ip arp', showArp)
    .add('show ip interface', showIpInterface)
    .add('show ip interface <name:interface>', showIpInterface)
    .add('show ip interface brief', showIpInterfaceBrief)
    .add('show ip ospf', showOspf)
    .add('show ip ospf interface brief', showOspfInterfaceBrief)
    .add('show ip ospf neighbor', showOspfNeighbors)
    .add('show ip protocols', showProtocols)
    .add('show ip route', showRoutes)
    .add('show ip route <destination:address>', showRouteTo)
    .add('show ip route connected', (context) => showRoutes(context, undefined, ['connected', 'local']))
    .add('show ip route ospf', (context) => showRoutes(context, undefined, ['ospf', 'ospf-inter-area']))
    .add('show ip route static', (context) => showRoutes(context, undefined, ['static']))
    .add('show version', showVersion);
}

/** The shows that need privileges. */
export function addPrivilegedShows(tree: ExecTree): void {
  tree
    .add('show running-config', ({ router }) => {
      const lines = configurationLines(router.state);
      return [
        'Building configuration...',
        '',
        `Current configuration : ${lines.join('\n').length} bytes`,
        ...lines,
        '',
      ];
    })
    .add('show running-config interface <name:interface>', ({ router }, args) => {
      const each = router.state.interfaces.get(textArg(args, 'name'));
      if (!each) return ['%Invalid interface type and number'];
      const lines = interfaceLines(each).slice(0, -1);
      return [
        'Building configuration...',
        '',
        `Current configuration : ${lines.join('\n').length} bytes`,
        '!',
        ...lines,
        'end',
        '',
      ];
    })
    .add('show startup-config', ({ router }) => {
      const { startup } = router;
      if (startup.length === 0) return ['startup-config is not present'];
      return [`Using ${startup.join('\n').length} out of 262144 bytes`, ...startup, ''];
    });
}
