import { CommandRun, type CommandOutcome, type RunOptions } from './command-run';
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
  #promptLine: string;
  #ready = true;
  #newHost: string | undefined;

  private constructor(
    private readonly screen: ConsoleScreen,
    private readonly options: SessionOptions,
    prompt: Prompt,
  ) {
    this.#prompt = prompt;
    this.#promptLine = screen.current;
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
    // A new name may show at once or with the commit that puts it in force.
    this.#newHost = driver.hostAfter?.(command) ?? this.#newHost;
    const hosts = this.#newHost === undefined ? [this.#prompt.host] : [this.#prompt.host, this.#newHost];
    const run = new CommandRun(
      this.screen,
      driver,
      timings,
      { line: this.#promptLine, hosts },
      command,
      options,
    );
    const outcome = await run.run();
    if (run.prompt !== undefined) this.arriveAt(run.prompt);
    else this.#ready = outcome.end !== 'closed' && this.mayType && (await this.recover(hosts));
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

  async enterConfig(options: RunOptions): Promise<CommandOutcome | undefined> {
    const { config } = this.options.driver;
    return config === undefined ? undefined : this.run(config.enter, options);
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
    try {
      const { config } = this.options.driver;
      if (this.mode === 'config' && config !== undefined && this.mayType) {
        this.screen.send(`${config.leave}\r`);
        await this.awaitPrompt([this.#prompt.host], ['user', 'exec']);
      }
    } finally {
      this.screen.close();
    }
  }

  /** Stops whatever runs and waits for the prompt: for a bounded time, also after the caller gave up. */
  private recover(hosts: readonly string[]): Promise<boolean> {
    const { driver } = this.options;
    this.screen.send(isPager(driver, this.screen.current) ? driver.pager.quit : driver.interrupt);
    this.screen.send('\r');
    return this.awaitPrompt(hosts, ['user', 'exec', 'config']);
  }

  private async awaitPrompt(hosts: readonly string[], modes: readonly PromptMode[]): Promise<boolean> {
    const { driver, timings } = this.options;
    const deadlineMs = Date.now() + timings.recoverMs;
    const unaborted = new AbortController().signal;
    for (let leftMs = timings.recoverMs; leftMs > 0; leftMs = deadlineMs - Date.now()) {
      const prompt = matchPrompt(driver, this.screen.current, hosts);
      const found = prompt !== undefined && modes.includes(prompt.mode);
      const change = await this.screen.next(
        found ? Math.min(leftMs, timings.wakeQuietMs) : leftMs,
        unaborted,
      );
      if (change === 'closed') return false;
      if (found && change === 'quiet') {
        this.arriveAt(prompt);
        return true;
      }
    }
    return false;
  }

  private arriveAt(prompt: Prompt): void {
    this.#prompt = prompt;
    this.#ready = true;
    this.#promptLine = this.screen.current;
  }
}
