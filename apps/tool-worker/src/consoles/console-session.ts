import { awaitPrompt } from './await-prompt';
import { CommandRun, type CommandEnd, type CommandOutcome, type RunOptions } from './command-run';
import { ConsoleError } from './console-error';
import { ConsoleLockLostError } from './console-locks';
import { ConsoleScreen } from './console-screen';
import { isPager, type ConsoleDriver, type Prompt, type PromptMode } from './drivers/driver';
import { matchPrompt } from './prompt-match';
import { connectPatiently } from './connect-patiently';
import type { ConsoleAddress } from './telnet-transport';
import type { ConsoleTimings } from './timings';
import { wake, type Login } from './wake';

export interface SessionOptions {
  address: ConsoleAddress;
  driver: ConsoleDriver;
  timings: ConsoleTimings;
  login?: Login;
  signal: AbortSignal;
}

/** Steps out of configuration mode before it is given up: every step leaves one level. */
const MAX_LEAVE_STEPS = 4;

/**
 * A conversation with one device on its console. Opened at a learned prompt outside configuration mode,
 * whatever state the console was left in; closed with the device at its prompt.
 */
export class ConsoleSession {
  #prompt: Prompt;
  #ready = true;
  #newHost: string | undefined;

  private constructor(
    private readonly screen: ConsoleScreen,
    private readonly options: SessionOptions,
    prompt: Prompt,
  ) {
    this.#prompt = prompt;
  }

  static async open(options: SessionOptions): Promise<ConsoleSession> {
    const screen = new ConsoleScreen(await connectPatiently(options));
    try {
      const session = new ConsoleSession(screen, options, await wake(screen, options));
      await session.leaveConfig();
      return session;
    } catch (error) {
      screen.close();
      throw error;
    }
  }

  get mode(): PromptMode {
    return this.#prompt.mode;
  }

  /** The device is at its prompt and takes another command. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Another call may be at the console once the hold on it is lost; not even a Ctrl-C may be sent then. */
  private get mayType(): boolean {
    return !(this.options.signal.reason instanceof ConsoleLockLostError);
  }

  get uncommitted(): boolean {
    return this.#prompt.uncommitted === true;
  }

  /** Runs one command. If the prompt does not come back, the command is stopped and the prompt sought. */
  async run(command: string, options: RunOptions): Promise<CommandOutcome> {
    const { driver, timings } = this.options;
    await this.ensurePrompt();
    // A new name may show at once or with the commit that puts it in force.
    this.#newHost = driver.hostAfter?.(command) ?? this.#newHost;
    const run = new CommandRun(this.screen, driver, timings, this.hosts, command, options);
    const outcome = await run.run();
    if (run.prompt !== undefined) this.arriveAt(run.prompt);
    else this.#ready = isOpen(outcome.end) && this.mayType && (await this.recover());
    return outcome;
  }

  /**
   * Goes to exec level. Returns why that was not possible, in the device's words; the session then stays at
   * user level. A password is never typed: none is known.
   */
  async enable(options: RunOptions): Promise<string | undefined> {
    const { enable } = this.options.driver;
    if (this.mode !== 'user' || enable === undefined) return undefined;
    const outcome = await this.run(enable, options);
    if (this.mode !== 'user') return undefined;
    const words = outcome.refusal ?? outcome.output.trim();
    return words === '' ? 'The device gave no reason.' : words;
  }

  /** Turns paging off and the like. A device that refuses is talked to with its pager on. */
  async setUp(options: RunOptions): Promise<void> {
    for (const command of this.options.driver.setup) {
      const { end } = await this.run(command, options);
      if (end !== 'prompt') return;
    }
  }

  /** Leaves configuration mode, however deep. */
  async leaveConfig(): Promise<void> {
    const { config } = this.options.driver;
    const options = {
      timeoutMs: this.options.timings.recoverMs,
      signal: this.options.signal,
      confirm: false,
    };
    for (let step = 0; config !== undefined && this.mode === 'config' && step < MAX_LEAVE_STEPS; step += 1) {
      const { end } = await this.run(step < 2 ? config.leave : 'exit', options);
      if (end !== 'prompt') break;
    }
    if (this.mode === 'config') {
      throw new ConsoleError(
        'unexpected_state',
        'The console stays in configuration mode and cannot be used.',
      );
    }
  }

  /** Leaves the device at its prompt as well as the time allows, and ends the connection. */
  async close(): Promise<void> {
    const { driver, timings } = this.options;
    try {
      if (this.mode !== 'config' || driver.config === undefined || !this.mayType) return;
      if (this.uncommitted && driver.config.discard !== undefined)
        this.screen.send(`${driver.config.discard}\r`);
      this.screen.send(`${driver.config.leave}\r`);
      await awaitPrompt(this.screen, driver, timings, { hosts: this.hosts, modes: ['user', 'exec'] });
    } finally {
      this.screen.close();
    }
  }

  /**
   * Drops what came since the last command, such as log messages, and makes sure that what is typed next goes
   * to the prompt it is meant for: a console that logged out meanwhile would take it for a user name.
   */
  private async ensurePrompt(): Promise<void> {
    const { driver, signal } = this.options;
    while ((await this.screen.next(0, signal)) === 'text');
    this.screen.takeLines();
    if (matchPrompt(driver, this.screen.current, this.hosts) !== undefined) return;
    const { mode } = this;
    this.arriveAt(await wake(this.screen, this.options));
    if (this.mode !== mode) {
      throw new ConsoleError(
        'unexpected_state',
        'The console was logged out or used by someone else in the meantime.',
      );
    }
  }

  private get hosts(): string[] {
    return this.#newHost === undefined ? [this.#prompt.host] : [this.#prompt.host, this.#newHost];
  }

  /** Stops whatever runs and waits for the prompt. */
  private async recover(): Promise<boolean> {
    const { driver, timings } = this.options;
    const { hosts } = this;
    this.screen.send(isPager(driver, this.screen.current) ? driver.pager.quit : driver.interrupt);
    this.screen.send('\r');
    const modes: PromptMode[] = ['user', 'exec', 'config'];
    const prompt = await awaitPrompt(this.screen, driver, timings, { hosts, modes });
    if (prompt !== undefined) this.arriveAt(prompt);
    return prompt !== undefined;
  }

  private arriveAt(prompt: Prompt): void {
    this.#prompt = prompt;
    this.#ready = true;
  }
}

/** The console still shows the device, and no question for a password. */
function isOpen(end: CommandEnd): boolean {
  return end !== 'closed' && end !== 'login';
}
