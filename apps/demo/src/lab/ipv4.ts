/** IPv4 addresses are unsigned 32-bit numbers; every function returns undefined for text that is not one. */
export type Ipv4 = number;

export interface Prefix {
  readonly network: Ipv4;
  readonly length: number;
}

export function parseIpv4(text: string): Ipv4 | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (!match) return undefined;
  const octets = match.slice(1).map(Number);
  if (octets.some((octet) => octet > 255)) return undefined;
  return octets.reduce((sum, octet) => sum * 256 + octet, 0);
}

export function formatIpv4(address: Ipv4): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
}

export function maskOf(length: number): Ipv4 {
  return length === 0 ? 0 : (0xffffffff << (32 - length)) >>> 0;
}

export function wildcardOf(length: number): Ipv4 {
  return ~maskOf(length) >>> 0;
}

/** A mask whose ones are not all on the left has no prefix length. */
export function prefixLengthOf(mask: Ipv4): number | undefined {
  for (let length = 0; length <= 32; length += 1) {
    if (maskOf(length) === mask) return length;
  }
  return undefined;
}

export function networkOf(address: Ipv4, length: number): Ipv4 {
  return (address & maskOf(length)) >>> 0;
}

export function contains(prefix: Prefix, address: Ipv4): boolean {
  return networkOf(address, prefix.length) === prefix.network;
}

export function matchesWildcard(address: Ipv4, base: Ipv4, wildcard: Ipv4): boolean {
  return (address & ~wildcard) >>> 0 === (base & ~wildcard) >>> 0;
}

export function formatPrefix(prefix: Prefix): string {
  return `${formatIpv4(prefix.network)}/${prefix.length}`;
}

/** The class A, B or C network that an address belongs to; routing tables still group by it. */
export function classfulPrefix(address: Ipv4): Prefix {
  const first = address >>> 24;
  const length = first < 128 ? 8 : first < 192 ? 16 : first < 224 ? 24 : 32;
  return { network: networkOf(address, length), length };
}
