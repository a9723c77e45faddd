import { Lab } from '../lab/lab';
import { fiveNodeLab, type LabPlan } from '../lab/lab-plan';

const LIMIT_MS = 2000;

/** A lab without sockets: a test sits at the consoles themselves. */
export class Desk {
  readonly lab: Lab;
  readonly faults: unknown[] = [];
  private readonly screens = new Map<string, string>();
  private changed: (() => void) | undefined;

  constructor(plan: LabPlan = fiveNodeLab()) {
    this.lab = new Lab(
      plan,
      { latencyMs: 0, pingIntervalMs: 0 },
      {
        screen: (node, text) => {
          this.screens.set(node, this.screen(node) + text);
          this.changed?.();
        },
        fault: (_node, error) => this.faults.push(error),
      },
    );
    this.lab.startAll();
  }

  /** Everything that a console showed since it was last read, without carriage returns. */
  screen(node: string): string {
    return this.screens.get(node) ?? '';
  }

  type(node: string, keys: string): void {
    this.lab.devices.get(node)?.type(keys);
  }

  /** Types keys on a wiped screen and returns what the console shows up to the end of the pattern's match. */
  async press(node: string, keys: string, pattern: RegExp): Promise<string> {
    this.screens.set(node, '');
    this.type(node, keys);
    return this.until(node, pattern);
  }

  async ask(
    node: string,
    line: string,
    pattern: RegExp = /\n[\w.-]+(?:\([\w-]+\))?[#>] ?$/,
  ): Promise<string> {
    return this.press(node, `${line}\r`, pattern);
  }

  /** Puts the console of a router into privileged mode without paging. */
  async enable(node: string): Promise<void> {
    await this.ask(node, '');
    await this.ask(node, 'enable');
    await this.ask(node, 'terminal length 0');
  }

  /** Enters configuration mode, types the lines and stays there. */
  async configureOnly(node: string, ...lines: string[]): Promise<string> {
    await this.enable(node);
    await this.ask(node, 'configure terminal');
    let output = '';
    for (const line of lines) output += await this.ask(node, line);
    return output;
  }

  async configure(node: string, ...lines: string[]): Promise<string> {
    const output = await this.configureOnly(node, ...lines);
    await this.ask(node, 'end', /CONFIG_I.*\n[\w.-]+#$/);
    return output;
  }

  async until(node: string, pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`no ${pattern} on ${node} in ${JSON.stringify(this.screen(node))}`));
      }, LIMIT_MS);
      this.changed = () => {
        const seen = this.screen(node).replaceAll('\r', '');
        const match = pattern.exec(seen);
        if (!match) return;
        clearTimeout(timer);
        this.changed = undefined;
        const end = match.index + match[0].length;
        this.screens.set(node, seen.slice(end));
        resolve(seen.slice(0, end));
      };
      this.changed();
    });
  }
}
