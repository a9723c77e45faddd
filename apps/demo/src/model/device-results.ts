import { z } from 'zod';
import { parseJson } from '../http/http-server';
import type { CallRecord } from './conversation';

/** What one device answered to one call. */
export interface DeviceResult {
  readonly device: string;
  readonly isGood: boolean;
  readonly output: string;
  readonly problem?: string;
}

const entry = z.looseObject({
  device_name: z.string().optional(),
  status: z.string().optional(),
  output: z.string().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
  /** A topology has a status of its own, which is the project's. */
  nodes: z.unknown().optional(),
  blocked_info: z.record(z.string(), z.string()).optional(),
});
const listed = z.union([z.array(entry), entry.transform((one) => [one])]);

/** Results of a call, one a device. A text that is no JSON (an error, a shortened result) is one of its own. */
export function deviceResults(call: CallRecord): DeviceResult[] {
  const parsed = listed.safeParse(parseJson(call.result));
  if (!parsed.success) return [fromText(call.result)];
  return parsed.data.map((each) => {
    const problem = problemOf(each);
    const base = { device: each.device_name ?? '', output: each.output ?? '', isGood: problem === undefined };
    return problem === undefined ? base : { ...base, problem };
  });
}

function fromText(text: string): DeviceResult {
  const looksWrong =
    text.trim() === '' ||
    /\b(error|refused|not allowed|timed? ?out|limit|denied|skipped|unknown outcome)\b/i.test(
      text.slice(0, 300),
    );
  // A shortened result is no longer JSON, but its line ends are still written as JSON writes them.
  const output = text.replaceAll('\\r', '').replaceAll('\\n', '\n');
  const base = { device: '', output, isGood: !looksWrong };
  return looksWrong ? { ...base, problem: text.trim().slice(0, 500) || 'empty result' } : base;
}

function problemOf(each: z.output<typeof entry>): string | undefined {
  const blocked = Object.values(each.blocked_info ?? {});
  if (each.error !== undefined) return each.error;
  if (blocked.length > 0) return blocked.join(' ');
  const hasFailed = each.status !== undefined && each.status !== 'success' && each.nodes === undefined;
  if (hasFailed) return each.message ?? each.output ?? each.status;
  // IOS marks what it refuses with a percent sign at the start of a line.
  return /^% (?:Invalid|Ambiguous|Incomplete|Bad|Unrecognized).*$/m.exec(each.output ?? '')?.[0];
}

export interface InterfaceRow {
  readonly name: string;
  readonly address: string | undefined;
  readonly status: string;
  readonly protocol: string;
}

/** Rows of `show ip interface brief`, wherever they stand in an output. */
export function interfaceRows(output: string): InterfaceRow[] {
  const row =
    /^(\S*\d)\s+(unassigned|\d+\.\d+\.\d+\.\d+)\s+(?:YES|NO)\s+\S+\s+(administratively down|up|down|deleted)\s+(up|down)/gm;
  return [...output.matchAll(row)].map(([, name = '', address = '', status = '', protocol = '']) => ({
    name,
    address: address === 'unassigned' ? undefined : address,
    status,
    protocol,
  }));
}

/** Replies and requests of a ping, of a router (`Success rate`) or a PC (one line a reply). */
export function pingScore(output: string): { received: number; sent: number } | undefined {
  const [, received, sent] = /Success rate is \d+ percent \((\d+)\/(\d+)\)/.exec(output) ?? [];
  if (received !== undefined && sent !== undefined) return { received: Number(received), sent: Number(sent) };
  const replies = output.match(/^\d+ bytes from .* icmp_seq=/gm)?.length ?? 0;
  const losses = output.match(/icmp_seq=\d+ timeout|Destination host unreachable/g)?.length ?? 0;
  if (replies + losses > 0) return { received: replies, sent: replies + losses };
  return /not reachable|No gateway/.test(output) ? { received: 0, sent: 1 } : undefined;
}
