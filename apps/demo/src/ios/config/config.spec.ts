import { beforeEach, describe, expect, it } from '@jest/globals';
import { applyConfiguration } from '../configuration';
import { blankState } from '../ios-state';
import { configurationLines } from '../running-config';
import { Desk } from '../../testing/desk';

describe('the configuration of a router', () => {
  let desk: Desk;

  beforeEach(() => {
    desk = new Desk();
  });

  it('builds the same router again from the lines it shows', async () => {
    await desk.configure(
      'R1',
      'interface g0/0',
      'description to R2 # uplink',
      'ip address 10.0.12.1 255.255.255.252',
      'ip ospf cost 20',
      'no shutdown',
      'interface lo1',
      'ip address 9.9.9.9 255.255.255.255',
      'router ospf 7',
      'router-id 1.1.1.1',
      'passive-interface g0/1',
      'network 10.0.0.0 0.255.255.255 area 0',
      'ip route 192.168.2.0 255.255.255.0 10.0.12.2 200',
      'enable secret pa55',
      'username bob privilege 15',
      'line vty 0 4',
      'transport input telnet',
    );
    const state = desk.lab.router('R1')?.state;
    const lines = state ? configurationLines(state) : [];

    const again = blankState(
      ['0', '1', '2', '3'].map((port) => `GigabitEthernet0/${port}`),
      1,
    );
    applyConfiguration(again, lines);

    expect(configurationLines(again)).toEqual(lines);
    expect(lines).toEqual(
      expect.arrayContaining([
        ' description to R2 # uplink',
        ' ip ospf cost 20',
        'router ospf 7',
        ' passive-interface GigabitEthernet0/1',
        ' network 10.0.0.0 0.255.255.255 area 0',
        'ip route 192.168.2.0 255.255.255.0 10.0.12.2 200',
        ' transport input telnet',
      ]),
    );
  });

  it.each([
    ['ip address 10.0.12.0 255.255.255.252', 'Bad mask /30 for address 10.0.12.0'],
    ['ip address 10.0.12.3 255.255.255.252', 'Bad mask /30 for address 10.0.12.3'],
    ['ip address 10.0.12.1 255.255.255.255', 'Bad mask /32 for address 10.0.12.1'],
    ['ip address 192.168.1.9 255.255.255.0', '% 192.168.1.0 overlaps with GigabitEthernet0/1'],
  ])('refuses %j and leaves the interface as it was', async (line, message) => {
    const output = await desk.configure('R1', 'interface g0/0', line);
    expect(output).toContain(message);
    expect(desk.lab.router('R1')?.state.interfaces.get('GigabitEthernet0/0')?.address).toBeUndefined();
  });

  it('refuses an interface that the router does not have, and a route with host bits', async () => {
    expect(await desk.configure('R1', 'interface g0/9')).toContain('%Invalid interface type and number');
    expect(await desk.configure('R1', 'ip route 10.0.0.1 255.0.0.0 10.0.12.2')).toContain(
      '%Inconsistent address and mask',
    );
  });

  it('takes lines back with no', async () => {
    await desk.configure('R1', 'ip route 0.0.0.0 0.0.0.0 192.168.1.254', 'username bob', 'router ospf 1');
    await desk.configure(
      'R1',
      'no ip route 0.0.0.0 0.0.0.0',
      'no username bob',
      'no router ospf 1',
      'interface g0/1',
      'no ip address',
      'shutdown',
    );
    const shown = await desk.ask('R1', 'show running-config');
    expect(shown).not.toMatch(/ip route|username|ospf/);
    expect(shown).toContain('interface GigabitEthernet0/1\n no ip address\n shutdown');
  });

  it('logs to the console that an interface went up, and writes the started line again', async () => {
    await desk.configureOnly('R1', 'interface g0/0');
    const log = await desk.press('R1', 'no shutdown\r', /LINEPROTO.*\n.*#$/);
    expect(log).toMatch(
      /%LINK-3-UPDOWN: Interface GigabitEthernet0\/0, changed state to up\nR1\(config-if\)#/,
    );
  });
});
