import { Child } from '../../test/e2e/support/child';
import type { Tally } from './tally';
import type { SoakPlan } from './workload';

/** For the last runs to end and be compared. */
const DRAIN_MS = 240_000;
const MARK = 'tally ';

/** The process of bench/soak/viewers, seen from outside. */
export class ViewersProcess {
  private last: Tally | undefined;

  private constructor(private readonly child: Child) {}

  static start(plan: SoakPlan): ViewersProcess {
    return new ViewersProcess(
      new Child('viewers', 'bench/soak/viewers.ts', {
        NODE_OPTIONS: '--import tsx',
        SOAK_PLAN: JSON.stringify(plan),
      }),
    );
  }

  /** What they had when they said so last; throws when the process has ended. */
  tally(): Tally | undefined {
    if (!this.child.running)
      throw new Error(`the viewers have ended\n${this.child.lines.slice(-20).join('\n')}`);
    return this.read();
  }

  /** Lets the runs under way end and be compared. */
  async finish(): Promise<Tally> {
    this.child.signal('SIGUSR1');
    const timer = setTimeout(() => this.child.signal('SIGKILL'), DRAIN_MS);
    const code = await this.child.exitCode();
    clearTimeout(timer);
    const tally = this.read();
    if (code !== 0 || tally === undefined) {
      throw new Error(`the viewers did not end in order\n${this.child.lines.slice(-20).join('\n')}`);
    }
    return tally;
  }

  stop(): Promise<void> {
    return this.child.stop('SIGKILL');
  }

  private read(): Tally | undefined {
    const line = this.child.lines.findLast((text) => text.startsWith(MARK));
    if (line === undefined) return this.last;
    // An hour of lines must not gather here.
    this.child.lines.length = 0;
    this.last = JSON.parse(line.slice(MARK.length)) as Tally;
    return this.last;
  }
}
