import { z } from 'zod';

/**
 * Failure switches, for tests of what stands on top of the lab. Set with DEMO_FAIL (comma list) or
 * `POST /demo/failures {"set": [...]}` on the GNS3 port; each call replaces all of them.
 *
 * GNS3 API (`/demo/*` itself never fails)
 *   gns3-500               every request: 500 with an HTML page, as a proxy in front would send
 *   gns3-silent            requests are taken and never answered
 *   gns3-slow=MS           every answer comes MS milliseconds late
 *   gns3-401-after=N       a token is good for N requests, then 401 until a new login
 *   gns3-login-401         every login is refused
 * Consoles (NODE is a node's name; repeat the switch for more nodes)
 *   console-silent=NODE    the port accepts and never says a word
 *   console-refuse=NODE    the port refuses connections
 *   console-drop=NODE:TEXT the connection is closed as soon as a line that starts with TEXT was typed;
 *                          the device still obeys it
 *   console-hang=NODE:TEXT nothing more is heard from the device after a line that starts with TEXT,
 *                          until the switches are set anew; it obeys all the same
 * Model (all but model-slow-first and model-context take effect on a number of requests: `=N`, or every one)
 *   model-500, model-429   the request is refused with this status and OpenAI's error body
 *   model-401              the key is refused
 *   model-reset            the connection is reset after three chunks
 *   model-error-frame      an error object comes after three chunks, and the stream ends without [DONE]
 *   model-stall            nothing more comes after three chunks; the connection stays open
 *   model-no-usage         no usage chunk, although it was asked for
 *   model-slow-first=MS    the first chunk comes MS milliseconds late
 *   model-context=TOKENS   longer requests (characters / 4) are refused as too long for the model
 */
const COUNTED = [
  'model-500',
  'model-429',
  'model-401',
  'model-reset',
  'model-error-frame',
  'model-stall',
  'model-no-usage',
] as const;
const PLAIN = ['gns3-500', 'gns3-silent', 'gns3-login-401'] as const;
const NUMBERED = ['gns3-slow', 'gns3-401-after', 'model-slow-first', 'model-context'] as const;
const NAMED = ['console-silent', 'console-refuse'] as const;
const AT_LINE = ['console-drop', 'console-hang'] as const;

type Counted = (typeof COUNTED)[number];
type Plain = (typeof PLAIN)[number];
type Numbered = (typeof NUMBERED)[number];
type Named = (typeof NAMED)[number];
type AtLine = (typeof AT_LINE)[number];

/** Text of one switch; the message of a refusal names it. */
export const failureSwitch = z
  .string()
  .refine(isKnown, { error: (issue) => `unknown failure switch: ${String(issue.input)}` });

export class Failures {
  /** Grows each time the switches are set: what an older setting caused is over. */
  generation = 0;
  private switches: readonly string[] = [];
  private readonly left = new Map<string, number>();

  constructor(initial: readonly string[] = []) {
    this.set(initial);
  }

  set(switches: readonly string[]): void {
    this.switches = switches;
    this.generation += 1;
    this.left.clear();
    for (const each of switches) {
      const [name = '', value] = each.split('=');
      if (isOneOf(COUNTED, name)) this.left.set(name, value === undefined ? Infinity : Number(value));
    }
  }

  list(): readonly string[] {
    return this.switches;
  }

  isOn(name: Plain): boolean {
    return this.switches.includes(name);
  }

  number(name: Numbered): number | undefined {
    const value = this.switches.find((each) => each.startsWith(`${name}=`))?.split('=')[1];
    return value === undefined ? undefined : Number(value);
  }

  /** Whether this request is one of those to fail; asking uses it up. */
  takes(name: Counted): boolean {
    const left = this.left.get(name) ?? 0;
    if (left > 0) this.left.set(name, left - 1);
    return left > 0;
  }

  silencesConsole(node: string): boolean {
    return this.names('console-silent', node);
  }

  refusesConsole(node: string): boolean {
    return this.names('console-refuse', node);
  }

  dropsConsole(node: string, line: string): boolean {
    return this.strikesAt('console-drop', node, line);
  }

  hangsConsole(node: string, line: string): boolean {
    return this.strikesAt('console-hang', node, line);
  }

  private names(name: Named, node: string): boolean {
    return this.switches.includes(`${name}=${node}`);
  }

  private strikesAt(name: AtLine, node: string, line: string): boolean {
    const start = `${name}=${node}:`;
    return this.switches.some((each) => each.startsWith(start) && line.startsWith(each.slice(start.length)));
  }
}

function isKnown(text: string): boolean {
  const [name = '', value] = text.split('=');
  const isNumber = value !== undefined && /^\d+$/.test(value);
  if (isOneOf(PLAIN, name)) return value === undefined;
  if (isOneOf(COUNTED, name)) return value === undefined || isNumber;
  if (isOneOf(NUMBERED, name)) return isNumber;
  if (isOneOf(AT_LINE, name)) return value !== undefined && /^[^:]+:.+$/.test(value);
  return isOneOf(NAMED, name) && value !== undefined && value !== '';
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.some((known) => known === name);
}
