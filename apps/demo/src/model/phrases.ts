import { formatIpv4, maskOf, networkOf, parseIpv4, prefixLengthOf } from '../lab/ipv4';

export interface AddressPhrase {
  readonly address: string;
  readonly length: number;
}

const ADDRESS = String.raw`\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}`;

/** `10.0.12.1/30`, `10.0.12.1 255.255.255.252` or with `mask` between; the first in the text. */
export function addressPhrase(text: string): AddressPhrase | undefined {
  const pattern = new RegExp(
    `(${ADDRESS})(?:\\s*/\\s*(\\d{1,2})|\\s+(?:mask\\s+|掩码\\s*)?(255\\.${ADDRESS.slice(ADDRESS.indexOf('.') + 1)}))`,
  );
  const [, address, digits, mask] = pattern.exec(text) ?? [];
  if (!address || parseIpv4(address) === undefined) return undefined;
  const length = digits === undefined ? prefixLengthOf(parseIpv4(mask ?? '') ?? 1) : Number(digits);
  return length === undefined || length < 1 || length > 32 ? undefined : { address, length };
}

/** Plain addresses in the text, in order. */
export function addresses(text: string): string[] {
  return [...text.matchAll(new RegExp(`(?<![\\d.])${ADDRESS}(?![\\d.])`, 'g'))]
    .map((match) => match[0])
    .filter((each) => parseIpv4(each) !== undefined);
}

export function maskText(length: number): string {
  return formatIpv4(maskOf(length));
}

/** The network address of a prefix: `10.0.12.1/30` -> `10.0.12.0`. */
export function networkText({ address, length }: AddressPhrase): string {
  return formatIpv4(networkOf(parseIpv4(address) ?? 0, length));
}

/** An interface name as typed (`g0/1`, `GigabitEthernet 0/1`, `lo0`), spelled out. */
export function interfacePhrase(text: string): string | undefined {
  const [, , numbers] =
    /\b(g(?:i(?:g(?:abit)?(?:ethernet)?)?)?)\s?(\d+\/\d+(?:\/\d+)?)(?!\d)/i.exec(text) ?? [];
  if (numbers) return `GigabitEthernet${numbers}`;
  const [, loopback] = /\blo(?:opback)?\s?(\d+)\b/i.exec(text) ?? [];
  return loopback === undefined ? undefined : `Loopback${loopback}`;
}

/** Whether a text speaks of every device rather than of named ones. */
export function meansAll(text: string): boolean {
  return /\b(all|every|each)\b|所有|全部|每台|每个/i.test(text);
}
