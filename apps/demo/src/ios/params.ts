import { formatIpv4, parseIpv4, prefixLengthOf } from '../lab/ipv4';
import { readInterfaceName } from './interface-names';

export type ParamKind = 'address' | 'mask' | 'number' | 'word' | 'interface' | 'line';

export interface Token {
  readonly text: string;
  readonly column: number;
}

/** Reads one parameter at a place of the line; undefined when what stands there is not one. */
export function readParam(
  type: ParamKind,
  line: string,
  tokens: readonly Token[],
  index: number,
): { value: string; tokens: number } | undefined {
  const token = tokens[index];
  if (!token) return undefined;
  switch (type) {
    case 'word':
      return { value: token.text, tokens: 1 };
    case 'line':
      return { value: line.slice(token.column).trimEnd(), tokens: tokens.length - index };
    case 'number':
      return /^\d{1,10}$/.test(token.text) ? { value: token.text, tokens: 1 } : undefined;
    case 'address':
      return readAddress(token.text, () => true);
    case 'mask':
      return readAddress(token.text, (mask) => prefixLengthOf(mask) !== undefined);
    case 'interface':
      return readInterface(token.text, tokens[index + 1]?.text);
  }
}

function readAddress(
  text: string,
  fits: (address: number) => boolean,
): { value: string; tokens: number } | undefined {
  const address = parseIpv4(text);
  return address === undefined || !fits(address) ? undefined : { value: formatIpv4(address), tokens: 1 };
}

/** `GigabitEthernet 0/0` may be typed with a space before its numbers. */
function readInterface(
  first: string,
  second: string | undefined,
): { value: string; tokens: number } | undefined {
  const whole = readInterfaceName(first);
  if (whole) return { value: whole, tokens: 1 };
  const joined =
    second !== undefined && /^[a-z]+$/i.test(first) ? readInterfaceName(first + second) : undefined;
  return joined ? { value: joined, tokens: 2 } : undefined;
}
