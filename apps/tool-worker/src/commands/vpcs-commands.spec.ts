import { describe, expect, it } from '@jest/globals';
import { vpcsRefusal } from './vpcs-commands';

describe('commands of a VPCS', () => {
  it.each([
    ...[
      'ip 10.0.0.1/24 10.0.0.254',
      'ip dhcp',
      'ping 10.0.0.1 -c 3',
      'show ip',
      'sh',
      'save',
      'save lab-1.vpc',
      'version',
    ],
    ...['set pcname office', 'clear ip', 'sleep 5', 'trace 10.0.0.1', '?', 'arp', 'echo hello', 'dhcp -r'],
  ])('lets %s pass', (command) => {
    expect(vpcsRefusal(command)).toBeUndefined();
  });

  it.each([
    ...[
      '!ls',
      '! rm -rf /',
      '!',
      'rlogin 10.0.0.1 22',
      'rl 2000',
      'r 2000',
      'load evil',
      'l evil',
      'quit',
      'q',
      'disconnect',
    ],
    ...[
      'relay port 1',
      'set lport 1',
      'set rhost 1.2.3.4',
      'set dump all',
      'save ../../x',
      'save /etc/x',
      'sleep',
      'sleep 600',
    ],
    ...['ping 10.0.0.1 -t', 'ping', '1', 'reload', 's', 'shutdown', '#', 'constructor', 'toString'],
  ])('blocks %s', (command) => {
    expect(vpcsRefusal(command)).toContain('not allowed on a VPCS');
  });
});
