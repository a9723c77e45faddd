import { describe, expect, it } from '@jest/globals';
import { DEFAULT_FORBIDDEN, disruptiveReason, forbiddenReason, parseForbiddenPatterns } from './forbidden';

describe('forbidden commands', () => {
  it.each([
    'traceroute 10.0.0.1',
    'TRACEROUTE 10.0.0.1',
    '  traceroute   10.0.0.1',
    'trace 10.0.0.1',
    'tr 10.0.0.1',
    'tracert 10.0.0.1',
    'tracepath 10.0.0.1',
    'do traceroute 10.0.0.1',
    'do do trac 10.0.0.1',
    'run traceroute 10.0.0.1',
    'ping -f 10.0.0.1',
    'ping 10.0.0.1 -f',
    'ping 10.0.0.1 -qf',
    'debug ip ospf',
    'deb all',
    'do debug all',
    'test cable',
  ])('blocks %s', (command) => {
    expect(forbiddenReason(DEFAULT_FORBIDDEN, command)).toBeDefined();
  });

  it.each([
    'show ip route',
    'ping 10.0.0.1',
    'description test link',
    'testing',
    'debugger',
    'no debug all',
    'undebug all',
    'show debugging',
    'tracker 1',
    'interface Tunnel0',
    't',
  ])('lets %s pass', (command) => {
    expect(forbiddenReason(DEFAULT_FORBIDDEN, command)).toBeUndefined();
  });

  it('gives the reason that the contract words', () => {
    expect(forbiddenReason(DEFAULT_FORBIDDEN, 'debug all')).toBe(
      "Command 'debug all' is not allowed because it matches the forbidden pattern 'debug'. This command may run longer than the tool timeout or leave the device console unavailable for subsequent commands.",
    );
  });

  it('reads one pattern a line and leaves out comments', () => {
    const patterns = parseForbiddenPatterns('# no saving here\r\n\r\n  Write Memory \nclear ip\n');
    expect(patterns.map(({ text }) => text)).toEqual(['Write Memory', 'clear ip']);
    expect(forbiddenReason(patterns, 'wr mem')).toBeDefined();
    expect(forbiddenReason(patterns, 'clear ip ospf process')).toBeDefined();
    expect(forbiddenReason(patterns, 'clear line 2')).toBeUndefined();
    expect(forbiddenReason(parseForbiddenPatterns(''), 'debug all')).toBeUndefined();
  });
});

describe('disruptive commands', () => {
  it.each([
    ...[
      'reload',
      'do reload',
      'rel',
      'do rel in 5',
      'write erase',
      'wr er',
      'do wr er',
      'erase startup-config',
    ],
    ...['format flash:', 'delete flash:x', 'reboot', 'reset saved-configuration', 'request system zeroize'],
    ...['configure replace flash:x'],
  ])('blocks %s', (command) => {
    expect(disruptiveReason(command)).toContain(command);
  });

  it.each([
    ...[
      'write memory',
      'do wr',
      'redistribute ospf 1',
      'description reload',
      'no shutdown',
      'copy run start',
    ],
    ...['configure terminal', 'crypto key generate rsa', 'undo shutdown', 'formatted'],
  ])('lets %s pass', (command) => {
    expect(disruptiveReason(command)).toBeUndefined();
  });
});
