import { formatIpv4, maskOf, parseIpv4, prefixLengthOf, networkOf, type Ipv4 } from '../lab/ipv4';

export interface VpcsAddress {
  readonly address: Ipv4;
  readonly prefixLength: number;
  readonly gateway?: Ipv4;
}

/** Reads what follows `ip`: `A/len [G]`, `A mask [G]` or `A`; undefined when it is no address. */
export function readAddress(words: readonly string[]): VpcsAddress | 'not same subnet' | undefined {
  const [first = '', ...rest] = words;
  const [addressText = '', lengthText] = first.split('/');
  const address = parseIpv4(addressText);
  const prefixLength = lengthText === undefined ? maskLength(rest) : Number(lengthText);
  if (address === undefined || !Number.isInteger(prefixLength) || prefixLength < 1 || prefixLength > 32)
    return undefined;
  const gatewayText = rest.find((word) => parseIpv4(word) !== undefined && !isMask(word));
  const gateway = gatewayText === undefined ? undefined : parseIpv4(gatewayText);
  if (gateway === undefined) return { address, prefixLength };
  const sameSubnet = networkOf(gateway, prefixLength) === networkOf(address, prefixLength);
  return sameSubnet ? { address, prefixLength, gateway } : 'not same subnet';
}

export function addressCommand({ address, prefixLength, gateway }: VpcsAddress): string {
  const end = gateway === undefined ? '' : ` ${formatIpv4(gateway)}`;
  return `ip ${formatIpv4(address)}/${prefixLength}${end}`;
}

export function addressReport(name: string, { address, prefixLength, gateway }: VpcsAddress): string {
  const end = gateway === undefined ? '' : ` gateway ${formatIpv4(gateway)}`;
  return `${name} : ${formatIpv4(address)} ${formatIpv4(maskOf(prefixLength))}${end}`;
}

function maskLength(words: readonly string[]): number {
  const mask = words.find(isMask);
  const value = mask === undefined ? undefined : parseIpv4(mask);
  return value === undefined ? 24 : (prefixLengthOf(value) ?? 24);
}

function isMask(word: string): boolean {
  const value = parseIpv4(word);
  return value !== undefined && value >>> 24 === 255 && prefixLengthOf(value) !== undefined;
}
