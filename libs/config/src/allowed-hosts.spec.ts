import { describe, expect, it } from '@jest/globals';
import { hostIsAllowed, isPrivateAddress } from './allowed-hosts';

/** The host as a URL has it after parsing, without brackets: what both callers pass. */
const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '');

describe('isPrivateAddress', () => {
  it.each([
    ['loopback', 'http://127.0.0.1/'],
    ['loopback, any of it', 'http://127.8.9.10/'],
    ['loopback as one decimal number', 'http://2130706433/'],
    ['loopback in hex', 'http://0x7f000001/'],
    ['loopback in octal', 'http://0177.0.0.1/'],
    ['loopback, shortened', 'http://127.1/'],
    ['unspecified', 'http://0.0.0.0/'],
    ['private 10', 'http://10.1.2.3/'],
    ['private 172.16', 'http://172.31.255.255/'],
    ['private 192.168', 'http://192.168.0.1/'],
    ['carrier-grade NAT', 'http://100.100.100.200/'],
    ['link-local, the metadata service', 'http://169.254.169.254/'],
    ['the Azure host agent', 'http://168.63.129.16/'],
    ['multicast', 'http://224.0.0.1/'],
    ['broadcast', 'http://255.255.255.255/'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['IPv6 unspecified', 'http://[::]/'],
    ['IPv6 link-local', 'http://[fe80::1]/'],
    ['IPv6 unique local', 'http://[fd00:ec2::254]/'],
    ['IPv4-mapped loopback', 'http://[::ffff:127.0.0.1]/'],
    ['IPv4-mapped loopback in hex', 'http://[::ffff:7f00:1]/'],
    ['NAT64 of a private address', 'http://[64:ff9b::10.0.0.1]/'],
    ['6to4 of loopback', 'http://[2002:7f00:1::]/'],
  ])('is true for %s', (_what, url) => {
    expect(isPrivateAddress(hostOf(url))).toBe(true);
  });

  it.each([
    ['public IPv4', '8.8.8.8'],
    ['public IPv6', '2606:4700:4700::1111'],
    ['IPv4-mapped public', '::ffff:8.8.8.8'],
    ['NAT64 of a public address', '64:ff9b::8.8.8.8'],
    ['just outside 172.16/12', '172.32.0.1'],
    ['a name', 'localhost'],
    ['an empty text', ''],
  ])('is false for %s', (_what, text) => {
    expect(isPrivateAddress(text)).toBe(false);
  });
});

describe('hostIsAllowed', () => {
  it('compares as written: a name does not allow its address, nor an address the name', () => {
    expect(hostIsAllowed('localhost', ['localhost'])).toBe(true);
    expect(hostIsAllowed('127.0.0.1', ['localhost'])).toBe(false);
    expect(hostIsAllowed('localhost', ['127.0.0.1'])).toBe(false);
  });

  it('does not allow subdomains of a listed name, nor names that end like it', () => {
    expect(hostIsAllowed('a.models.lan', ['models.lan'])).toBe(false);
    expect(hostIsAllowed('evilmodels.lan', ['models.lan'])).toBe(false);
  });

  it('takes IPv6 addresses with and without brackets, and any case', () => {
    expect(hostIsAllowed('[::1]', ['::1'])).toBe(true);
    expect(hostIsAllowed('fd00::A', ['[fd00::a]'])).toBe(true);
  });

  it('allows nothing by an empty list', () => {
    expect(hostIsAllowed('localhost', [])).toBe(false);
  });
});
