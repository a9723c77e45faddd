import { parseIpv4, prefixLengthOf, type Ipv4 } from '../lab/ipv4';
import type { Args } from './command-tree';

/** Matched parameters by name. A missing one is a mistake in a pattern, never the user's. */
export function textArg(args: Args, name: string): string {
  const value = args.get(name);
  if (value === undefined) throw new Error(`pattern without <${name}>`);
  return value;
}

export function numberArg(args: Args, name: string): number {
  return Number(textArg(args, name));
}

export function ipArg(args: Args, name: string): Ipv4 {
  return parseIpv4(textArg(args, name)) ?? 0;
}

export function optionalIpArg(args: Args, name: string): Ipv4 | undefined {
  const value = args.get(name);
  return value === undefined ? undefined : parseIpv4(value);
}

export function maskLengthArg(args: Args, name: string): number {
  return prefixLengthOf(ipArg(args, name)) ?? 0;
}
