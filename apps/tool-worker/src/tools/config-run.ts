import type { CommandOutcome, RunOptions } from '../consoles/command-run';
import type { ConsoleSession } from '../consoles/console-session';
import type { ConsoleDriver } from '../consoles/drivers/driver';
import { faultOf, isDone, lineName, shortList, Transcript } from './transcript';

export type ConfigDialect = NonNullable<ConsoleDriver['config']>;

/**
 * Applies configuration lines to one device, in order, and stops at the first that is refused: the lines
 * after it may belong to what it should have opened, and would land somewhere else. What was applied, what was
 * refused and what was not sent is told apart, since nothing is ever undone or sent again by itself.
 */
export class ConfigRun {
  readonly faults: string[] = [];
  readonly #transcript = new Transcript();
  #applied = 0;

  constructor(
    private readonly lines: readonly string[],
    private readonly config: ConfigDialect,
    /** Command that shows whether a change took place. */
    private readonly check: string,
    private readonly timeoutMs: number,
  ) {}

  /** Lines in force on the device, as far as is known. */
  get applied(): number {
    return this.#applied;
  }

  get sent(): string[] {
    return this.#transcript.sent;
  }

  get output(): string {
    return this.#transcript.text('\n');
  }

  async on(session: ConsoleSession, signal: AbortSignal): Promise<void> {
    const options = { timeoutMs: this.timeoutMs, signal, confirm: true };
    const refusal = await session.enable(options);
    if (refusal !== undefined) {
      this.faults.push(
        `The device stays at user level: 'enable' was refused (${refusal}). Nothing was configured.`,
      );
      return;
    }
    await session.setUp(options);
    const complete = await this.applyAll(session, options);
    if (session.ready) await this.settle(session, options, complete);
  }

  private async applyAll(session: ConsoleSession, options: RunOptions): Promise<boolean> {
    for (const [index, line] of this.lines.entries()) {
      const outcome = options.signal.aborted ? 'stopped' : await this.apply(line, session, options);
      if (outcome === 'stopped') {
        this.faults.push('The call was stopped.', this.summary(index));
        return false;
      }
      if (outcome !== undefined && !isDone(outcome)) {
        this.faults.push(this.explain(outcome, index), this.summary(index + 1));
        return false;
      }
      this.#applied += 1;
    }
    return true;
  }

  /** The outcome of what was sent for a line: of the line itself, or of what was to make room for it. */
  private async apply(
    line: string,
    session: ConsoleSession,
    options: RunOptions,
  ): Promise<CommandOutcome | 'stopped' | undefined> {
    const step = this.config.step(line);
    if (step.kind === 'skip') return undefined;
    if (step.kind === 'exec') await session.leaveConfig();
    else if (!inConfig(session)) {
      const entered = await session.run(this.config.enter, options);
      if (!inConfig(session)) {
        return {
          ...entered,
          refusal: entered.refusal ?? `'${this.config.enter}' did not lead to configuration mode`,
        };
      }
    }
    const outcome = await session.run(step.text, options);
    this.#transcript.add(outcome);
    return outcome;
  }

  private explain(outcome: CommandOutcome, index: number): string {
    const name = lineName(index, this.lines[index] ?? outcome.command);
    const fault = faultOf(outcome, name, this.timeoutMs) ?? `${name} failed.`;
    return outcome.end === 'prompt'
      ? fault
      : `${fault} Its outcome is unknown: read the state of the device (${this.check}) before you send it again.`;
  }

  private summary(unsentFrom: number): string {
    const unsent = this.lines.slice(unsentFrom);
    const applied = `Applied before it: ${this.#applied} of ${this.lines.length} lines.`;
    return unsent.length === 0 ? applied : `${applied} Not sent: ${shortList(unsent)}.`;
  }

  /** Puts the lines in force on a device that keeps a candidate, or throws a half-entered one away. */
  private async settle(session: ConsoleSession, options: RunOptions, complete: boolean): Promise<void> {
    const { commit, discard } = this.config;
    const command = complete ? commit : discard;
    if (!session.uncommitted || command === undefined) return;
    const outcome = options.signal.aborted ? undefined : await session.run(command, options);
    if (outcome !== undefined) this.#transcript.add(outcome);
    if (complete && outcome !== undefined && isDone(outcome)) return;
    this.#applied = 0;
    // A session that is closed over a candidate throws it away as well.
    const thrownAway = !complete && (outcome === undefined || isDone(outcome));
    this.faults.push(
      thrownAway
        ? 'The lines were not committed: nothing is in force.'
        : `'${command}' was not carried out. It is not known which lines are in force (${this.check}).`,
    );
  }
}

function inConfig({ mode }: ConsoleSession): boolean {
  return mode === 'config';
}
