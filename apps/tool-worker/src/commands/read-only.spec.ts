import { describe, expect, it } from '@jest/globals';
import { readOnlyRefusal } from './read-only';

describe('read-only commands of IOS', () => {
  it.each([
    ...['show version', 'sh ip int br', 'sho run', 'SHOW CLOCK', 'ping 10.0.0.1', 'pi 10.0.0.1 source lo0'],
    ...[
      'traceroute 10.0.0.1',
      'dir flash:',
      'more system:running-config',
      'terminal length 0',
      'term wid 511',
    ],
    ...[
      'show run | include interface|ip address',
      'show run | sec ospf',
      'show ip bgp | inc *>',
      'sh run | b line',
    ],
    ...['show ip bgp regexp ^65001$', 'show run | include up|down | count up'],
  ])('lets %s pass', (command) => {
    expect(readOnlyRefusal('ios', command)).toBeUndefined();
  });

  it.each([
    ...[
      'configure terminal',
      'conf t',
      'reload',
      'rel',
      'do reload',
      'write',
      'wr er',
      'write memory',
      'copy run start',
    ],
    ...[
      'erase nvram:',
      'debug ip packet',
      'clear ip route *',
      'test',
      'delete flash:x',
      'tclsh',
      'enable',
      's',
      'p 1.1.1.1',
    ],
    ...[
      'show run | redirect flash:x',
      'show run | red flash:x',
      'show run | tee flash:x',
      'show run | append flash:x',
    ],
    ...[
      'show run | include a | redirect flash:x',
      'show run | include a|redirect flash:x',
      'show run | include a|r flash:x',
    ],
    ...[
      'show run > bootflash:x',
      'show run | include a > bootflash:x',
      'show run | save x',
      'show run |',
      'show run | |',
    ],
    ...[
      'show clock ; reload',
      'show clock;wr er',
      '',
      ';',
      'ping',
      'terminal monitor',
      'terminal length 0 ; reload',
    ],
    ...['showreload', 'exit', 'telnet 10.0.0.1', 'ssh -l a 10.0.0.1', 'monitor capture x start'],
  ])('G27: blocks %s', (command) => {
    expect(readOnlyRefusal('ios', command)).toContain('read-only');
  });
});

describe('read-only commands of Huawei', () => {
  it.each([
    'display version',
    'dis cur',
    'display ip routing-table | include 10.0',
    'ping 10.0.0.1',
    'screen-length 0 temporary',
  ])('lets %s pass', (command) => {
    expect(readOnlyRefusal('vrp', command)).toBeUndefined();
  });

  it.each([
    'system-view',
    'sys',
    'save',
    'reboot',
    'reset saved-configuration',
    'display cur > flash:/x',
    'delete x',
    'undo debug',
  ])('G27: blocks %s', (command) => {
    expect(readOnlyRefusal('vrp', command)).toBeDefined();
  });
});

describe('read-only commands of VPCS', () => {
  it.each(['show ip', 'ping 10.0.0.1 -c 2', 'trace 10.0.0.1', 'arp', 'version', '?'])(
    'lets %s pass',
    (command) => {
      expect(readOnlyRefusal('vpcs', command)).toBeUndefined();
    },
  );

  it.each(['ip 10.0.0.1/24', '!ls', 'save', 'set pcname x', 'quit', 'clear ip'])(
    'G27: blocks %s',
    (command) => {
      expect(readOnlyRefusal('vpcs', command)).toBeDefined();
    },
  );
});
