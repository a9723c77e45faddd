import type { ConsoleScreen } from './console-screen';
import { LOGIN, PASSWORD } from './login-questions';
import { isPager, type ConsoleDriver, type Prompt } from './drivers/driver';
import { matchPrompt, showsEcho } from './prompt-match';
import type { ConsoleTimings } from './timings';

export interface RunOptions {
  timeoutMs: number;
  signal: AbortSignal;
  /** Questions of the device are answered with yes; otherwise, and for destructive ones always, with no. */
  confirm: boolean;
}

/**
 * How a command ended. `prompt`: the device is ready again, so the output is complete. Every other end means
 * that the command was sent and its outcome is not known.
 */
export type CommandEnd = 'prompt' | 'timeout' | 'closed' | 'aborted' | 'overflow' | 'login';

export interface CommandOutcome {
  command: string;
  /** The prompt before the command, as it stood on the screen. */
  promptLine: string;
  output: string;
  end: CommandEnd;
  /** The device's own words where it refused the command, or the question that was answered with no. */
  refusal?: string;
}

/** One command's output; more is cut off, since it has to fit a model's context in the end. */
export const MAX_OUTPUT_CHARS = 1_000_000;
const MAX_ANSWERS = 25;
/** Asked by a device before it does something that no tool may do. */
const DESTRUCTIVE = /reload|reboot|restart|erase|format|delete|factory/i;

interface Reply {
  text: string;
  /** Why the answer was not the one that lets the command go on. */
  declined?: string;
}

/** Types one command at the prompt and follows the console until the prompt is back. */
export class CommandRun {
  readonly #output: string[] = [];
  #outputChars = 0;
  #echoed = false;
  #answers = 0;
  #answered: string | undefined;
  #finishedLines = 0;
  #declined: string | undefined;
  #prompt: Prompt | undefined;

  constructor(
    private readonly screen: ConsoleScreen,
    private readonly driver: ConsoleDriver,
    private readonly timings: ConsoleTimings,
    /** Host names that the next prompt may show. */
    private readonly hosts: readonly string[],
    private readonly command: string,
    private readonly options: RunOptions,
  ) {}

  /** What shows that a command of several lines was taken in. */
  get #lastLine(): string {
    return this.command.slice(this.command.lastIndexOf('\n') + 1);
  }

  /** The prompt that ended the command. */
  get prompt(): Prompt | undefined {
    return this.#prompt;
  }

  async run(): Promise<CommandOutcome> {
    const promptLine = this.screen.current;
    const deadlineMs = Date.now() + this.options.timeoutMs;
    await this.type(deadlineMs);
    const end = await this.follow(deadlineMs);
    this.collect();
    const mode = this.driver.parsePrompt(promptLine)?.mode ?? 'exec';
    const refusal = this.#declined ?? this.driver.refusal(this.#output, mode, this.command);
    return {
      command: this.command,
      promptLine,
      output: this.outputText(),
      end,
      ...(refusal === undefined ? {} : { refusal }),
    };
  }

  private async type(deadlineMs: number): Promise<void> {
    if (this.driver.enterAfterEcho !== true) {
      this.screen.send(`${this.command.replaceAll('\n', '\r')}\r`);
      return;
    }
    this.screen.send(this.command);
    const echoMs = Math.min(deadlineMs, Date.now() + this.timings.unechoedSettleMs);
    while (!showsEcho(this.screen.current, this.command)) {
      const change = await this.screen.next(Math.max(0, echoMs - Date.now()), this.options.signal);
      if (change !== 'text') break;
    }
    this.screen.send('\r');
  }

  /** Every reaction waits for a moment of silence, so a line that is still being written decides nothing. */
  private async follow(deadlineMs: number): Promise<CommandEnd> {
    for (;;) {
      const leftMs = deadlineMs - Date.now();
      if (leftMs <= 0 || this.#answers > MAX_ANSWERS) return 'timeout';
      const line = this.screen.current;
      // Before a line was ended, the prompt on the screen is the one the command was typed at.
      const prompt = this.#finishedLines > 0 ? matchPrompt(this.driver, line, this.hosts) : undefined;
      const reply = prompt === undefined ? this.replyTo(line) : undefined;
      const quietMs =
        prompt !== undefined && !this.#echoed ? this.timings.unechoedSettleMs : this.timings.settleMs;
      const waitMs = prompt === undefined && reply === undefined ? leftMs : Math.min(leftMs, quietMs);
      const change = await this.screen.next(waitMs, this.options.signal);
      if (change === 'text') {
        this.collect();
        if (this.#outputChars > MAX_OUTPUT_CHARS) return 'overflow';
      } else if (change !== 'quiet') {
        return change;
      } else if (prompt !== undefined) {
        this.#prompt = prompt;
        return 'prompt';
      } else if (reply !== undefined) {
        if (reply === 'login') return 'login';
        this.give(reply, line);
      }
    }
  }

  /** Moves finished lines from the screen to the output, without the echo and the pager's marks. */
  private collect(): void {
    for (const line of this.screen.takeLines()) {
      this.#finishedLines += 1;
      if (!this.#echoed && showsEcho(line, this.#lastLine)) {
        this.#echoed = true;
        continue;
      }
      const text = line.replace(this.driver.pager.mark, '').trimEnd();
      // A device repeats its prompt after a log message.
      if ((text === '' && line !== '') || matchPrompt(this.driver, text, this.hosts)) continue;
      this.#outputChars += text.length + 1;
      this.#output.push(text);
    }
  }

  /** What the line under the cursor asks for, unless it was answered already. */
  private replyTo(line: string): Reply | 'login' | undefined {
    if (line === '' || this.#answered === this.place(line)) return undefined;
    const { pager, questions } = this.driver;
    if (isPager(this.driver, line)) return { text: pager.next };
    if (LOGIN.test(line)) return 'login';
    // An empty line leaves a password question; anything else would be tried as the password.
    if (PASSWORD.test(line)) return { text: '\r', declined: 'no password was typed' };
    const question = questions.find(({ pattern }) => pattern.test(line));
    if (question === undefined) return undefined;
    const context = `${this.#output.at(-1) ?? ''} ${line}`;
    return this.options.confirm && !DESTRUCTIVE.test(context)
      ? { text: question.yes }
      : { text: question.no, declined: 'it was answered with no' };
  }

  private give(reply: Reply, line: string): void {
    this.#answered = this.place(line);
    // Some devices erase less than they wrote, which would push the next line to the right.
    if (isPager(this.driver, line)) this.screen.clearLine();
    else this.#answers += 1;
    if (reply.declined !== undefined) {
      this.#declined ??= `The device asked ${JSON.stringify(line)}; ${reply.declined}.`;
    }
    this.screen.send(reply.text);
  }

  /** Tells the same line on the screen from the same words asked again further down. */
  private place(line: string): string {
    return `${this.#finishedLines}:${line}`;
  }

  private outputText(): string {
    const text = this.#output.join('\n').replace(/^\n+|\s+$/g, '');
    return text.length > MAX_OUTPUT_CHARS
      ? `${text.slice(0, MAX_OUTPUT_CHARS)}\n[output cut off here]`
      : text;
  }
}
