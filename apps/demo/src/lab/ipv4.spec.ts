import { describe, expect, it } from '@jest/globals';
import {
  classfulPrefix,
  contains,
  formatIpv4,
  formatPrefix,
  maskOf,
  matchesWildcard,
  parseIpv4,
  prefixLengthOf,
  wildcardOf,
} from './ipv4';

const ip = (text: string): number => {
  const value = parseIpv4(text);
  if (value === undefined) throw new Error(`bad address in a test: ${text}`);
  return value;
};

describe('ipv4', () => {
  it('reads and writes addresses above 128.0.0.0 as unsigned numbers', () => {
    expect(ip('192.168.1.1')).toBe(0xc0a80101);
    expect(formatIpv4(0xfffffffc)).toBe('255.255.255.252');
  });

  it.each(['256.1.1.1', '1.2.3', '1.2.3.4.5', 'a.b.c.d', ''])('refuses %j as an address', (text) => {
    expect(parseIpv4(text)).toBeUndefined();
  });

  it('turns lengths into masks and back, including the two ends', () => {
    expect([0, 30, 32].map((length) => formatIpv4(maskOf(length)))).toEqual([
      '0.0.0.0',
      '255.255.255.252',
      '255.255.255.255',
    ]);
    expect([0, 24, 32].map((length) => prefixLengthOf(maskOf(length)))).toEqual([0, 24, 32]);
    expect(formatIpv4(wildcardOf(30))).toBe('0.0.0.3');
  });

  it('refuses a mask with a hole', () => {
    expect(prefixLengthOf(ip('255.0.255.0'))).toBeUndefined();
  });

  it('knows what lies inside a prefix and what a wildcard covers', () => {
    const prefix = { network: ip('10.0.12.0'), length: 30 };
    expect(contains(prefix, ip('10.0.12.2'))).toBe(true);
    expect(contains(prefix, ip('10.0.12.4'))).toBe(false);
    expect(matchesWildcard(ip('10.0.12.2'), ip('10.0.12.0'), ip('0.0.0.3'))).toBe(true);
    expect(matchesWildcard(ip('10.0.13.2'), ip('10.0.12.0'), ip('0.0.0.3'))).toBe(false);
  });

  it('groups addresses by their class', () => {
    expect(
      ['10.9.8.7', '172.16.9.1', '192.168.7.1'].map((text) => formatPrefix(classfulPrefix(ip(text)))),
    ).toEqual(['10.0.0.0/8', '172.16.0.0/16', '192.168.7.0/24']);
  });
});
