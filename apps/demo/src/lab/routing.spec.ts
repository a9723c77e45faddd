import { beforeEach, describe, expect, it } from '@jest/globals';
import { Desk } from '../testing/desk';
import { ringLab } from './lab-plan';

const LINK = ['interface g0/0', 'ip address 10.0.12.1 255.255.255.252', 'no shutdown'];
const OSPF = ['router ospf 1', 'network 0.0.0.0 255.255.255.255 area 0'];

describe('packets in the lab', () => {
  let desk: Desk;

  beforeEach(() => {
    desk = new Desk();
  });

  it('reach a connected neighbour, the first one lost to ARP', async () => {
    await desk.configure('R1', ...LINK);
    expect(await desk.ask('R1', 'ping 10.0.12.2')).toContain('.!!!!\nSuccess rate is 80 percent (4/5)');
    expect(await desk.ask('R1', 'ping 10.0.12.2')).toContain('!!!!!\nSuccess rate is 100 percent (5/5)');
  });

  it('pass a switch, and stop where it is switched off', async () => {
    expect(await desk.ask('PC1', 'ping 192.168.1.1')).toContain('84 bytes from 192.168.1.1 icmp_seq=5');
    desk.lab.powerOff('SW1');
    expect(await desk.ask('PC1', 'ping 192.168.1.1')).toContain('host (192.168.1.1) not reachable');
  });

  it('need a route back as well as a route there', async () => {
    await desk.configure('R1', ...LINK, 'ip route 192.168.2.0 255.255.255.0 10.0.12.2');
    await desk.ask('PC2', 'ip 192.168.2.10/24 192.168.2.1');
    expect(await desk.ask('PC1', 'ping 192.168.2.10')).toContain('192.168.2.10 icmp_seq=1 timeout');
    await desk.configure('R2', 'ip route 192.168.1.0 255.255.255.0 10.0.12.1');
    expect(await desk.ask('PC1', 'ping 192.168.2.10')).toContain(
      '84 bytes from 192.168.2.10 icmp_seq=1 ttl=62',
    );
  });

  it('are answered by the router that has no route for them', async () => {
    expect(await desk.ask('PC1', 'ping 172.31.0.1')).toContain(
      '*192.168.1.1 icmp_seq=1 ttl=255 time=0.770 ms (ICMP type:3, code:1, Destination host unreachable)',
    );
  });

  it('follow the longest prefix, not the default route', async () => {
    await desk.configure(
      'R1',
      ...LINK,
      'ip route 0.0.0.0 0.0.0.0 192.168.1.254',
      'ip route 2.2.2.2 255.255.255.255 10.0.12.2',
    );
    expect(await desk.ask('R1', 'ping 2.2.2.2 repeat 2')).toContain('(1/2)');
    expect(await desk.ask('R1', 'show ip route')).toMatch(
      /Gateway of last resort is 192\.168\.1\.254[\s\S]*S\*    0\.0\.0\.0\/0 \[1\/0\] via 192\.168\.1\.254/,
    );
  });

  it('do not use a static route whose next hop is on no connected network', async () => {
    await desk.configure('R1', 'ip route 2.2.2.2 255.255.255.255 10.0.12.2');
    expect(await desk.ask('R1', 'show ip route static')).not.toContain('2.2.2.2');
  });

  it('show their way in a traceroute', async () => {
    await desk.configure('R1', ...LINK, ...OSPF);
    await desk.configure('R2', ...OSPF);
    const trace = await desk.ask('PC1', 'trace 192.168.2.1');
    expect(trace).toContain(' 1   192.168.1.1');
    expect(trace).toContain(' 2   *192.168.2.1');
  });

  it('do not arrive at an address that another PC has already', async () => {
    const output = await desk.ask('PC1', 'ip 192.168.1.1/24');
    expect(output).toContain('192.168.1.1 is being used by MAC 0c10.0001.0001');
    expect(await desk.ask('PC1', 'show ip')).toContain('192.168.1.10/24');
  });
});

describe('OSPF', () => {
  it('makes neighbours once both ends of a link are in the same area, and both consoles say so', async () => {
    const desk = new Desk();
    await desk.configure('R1', ...LINK, ...OSPF);
    expect(await desk.ask('R1', 'show ip ospf neighbor')).not.toContain('FULL');
    await desk.configure('R2', 'router ospf 9', 'network 10.0.12.0 0.0.0.3 area 0');
    expect(desk.screen('R1')).toContain('Nbr 2.2.2.2 on GigabitEthernet0/0 from LOADING to FULL');
    expect(await desk.ask('R1', 'show ip ospf neighbor')).toMatch(
      /2\.2\.2\.2 .*FULL\/DR .*10\.0\.12\.2 .*GigabitEthernet0\/0/,
    );
  });

  it.each([
    ['another area', ['network 10.0.12.0 0.0.0.3 area 1']],
    ['a passive interface', ['network 10.0.12.0 0.0.0.3 area 0', 'passive-interface g0/0']],
    ['a network statement beside it', ['network 10.0.13.0 0.0.0.3 area 0']],
  ])('makes no neighbours with %s', async (_why, lines) => {
    const desk = new Desk();
    await desk.configure('R1', ...LINK, ...OSPF);
    await desk.configure('R2', 'router ospf 1', ...lines);
    expect(await desk.ask('R1', 'show ip ospf neighbor')).not.toContain('FULL');
  });

  it('loses the neighbour and its routes when the interface is shut', async () => {
    const desk = new Desk();
    await desk.configure('R1', ...LINK, ...OSPF);
    await desk.configure('R2', ...OSPF);
    expect(await desk.ask('R1', 'show ip route ospf')).toContain(
      'O     192.168.2.0/24 [110/2] via 10.0.12.2',
    );
    await desk.configure('R2', 'interface g0/0', 'shutdown');
    expect(await desk.ask('R1', 'show ip route ospf')).not.toContain('192.168.2.0');
  });

  it('takes the short way round a ring, and both ways when they are equal', async () => {
    const desk = new Desk(ringLab(4));
    for (const router of ['R1', 'R2', 'R3', 'R4']) await desk.configure(router, ...OSPF);
    const routes = await desk.ask('R1', 'show ip route ospf');
    expect(routes).toContain('172.16.2.0/24 [110/2] via 10.0.1.2');
    expect(routes).toMatch(/172\.16\.3\.0\/24 \[110\/3\] via .*\n\s+\[110\/3\] via /);
    expect(await desk.ask('PC1', 'ping 172.16.3.10')).toContain('84 bytes from 172.16.3.10');
  });
});
