import { ConsoleError } from './console-error';
import type { ConsoleScreen } from './console-screen';
import { isPager, type ConsoleDriver, type Prompt } from './drivers/driver';
import { LOGIN, PASSWORD } from './login-questions';
import type { ConsoleTimings } from './timings';

export interface Login {
  username: string;
  password: string;
}

export interface WakeOptions {
  driver: ConsoleDriver;
  timings: ConsoleTimings;
  login?: Login;
  signal: AbortSignal;
}

const LOADER = /^(?:rommon\s+\d+\s*>|switch:|loader>|grub>|\(boot\)>)$/i;
/** Dialogs and logins are answered this often; a console that goes on asking will not stop. */
const MAX_ANSWERS = 12;

/**
 * Brings a console to its prompt and learns it: Enter is pressed until two presses in a row leave the same
 * prompt on the last line. A banner never does that, whatever it looks like. Boot dialogs are answered with
 * no, a login is filled in where credentials are known, and nothing is ever typed into anything else.
 */
export async function wake(screen: ConsoleScreen, options: WakeOptions): Promise<Prompt> {
  const { driver, timings, signal } = options;
  const startMs = Date.now();
  const answers = new Answers(screen, options);
  let heardMs: number | undefined;
  let before: string | undefined;
  screen.send('\r');
  for (;;) {
    const change = await screen.burst(timings.wakeStepMs, timings.wakeQuietMs, signal);
    if (change === 'aborted')
      throw new ConsoleError('aborted', 'The call was stopped while waiting for the prompt.');
    if (change === 'closed') throw closedError(screen);
    if (change === 'text') heardMs = Date.now();

    const line = screen.current;
    if (change === 'text' && answers.give(line)) {
      before = undefined;
      continue;
    }
    const prompt = driver.parsePrompt(line);
    if (change === 'text' && prompt !== undefined && line === before) {
      screen.takeLines();
      return prompt;
    }
    throwIfLate(screen, timings, startMs, heardMs);
    before = prompt === undefined ? undefined : line;
    screen.send('\r');
  }
}

/** Answers what a console asks before it shows a prompt. */
class Answers {
  #given = 0;
  #loginTried = false;
  #askedForPassword = 0;

  constructor(
    private readonly screen: ConsoleScreen,
    private readonly options: WakeOptions,
  ) {}

  /** True if the line was a question and has been answered. */
  give(line: string): boolean {
    const answer = this.answerTo(line);
    if (answer === undefined) return false;
    this.#given += 1;
    if (this.#given > MAX_ANSWERS) {
      throw new ConsoleError('unexpected_state', `The console keeps asking: ${quote(line)}.`);
    }
    this.screen.send(answer);
    return true;
  }

  private answerTo(line: string): string | undefined {
    const { driver, login } = this.options;
    if (LOADER.test(line)) {
      throw new ConsoleError(
        'unexpected_state',
        `The device is in its boot loader (${quote(line)}), not in its system.`,
      );
    }
    if (isPager(driver, line)) return driver.pager.quit;
    const dialog = driver.dialogs.find(({ pattern }) => pattern.test(line));
    if (dialog !== undefined) return dialog.no;
    if (LOGIN.test(line)) return this.userName(login);
    if (PASSWORD.test(line)) return this.password(login);
    return undefined;
  }

  private userName(login: Login | undefined): string {
    if (login === undefined) {
      throw new ConsoleError(
        'login_required',
        "The console asks for a user name and none is known. Nothing was typed. Set the node's default user name and password in GNS3, or log in on its console.",
      );
    }
    if (this.#loginTried) {
      throw new ConsoleError(
        'login_required',
        "The device refused the node's default user name and password.",
      );
    }
    return `${login.username}\r`;
  }

  /** Without a password an empty line leaves the question, which an enable by someone else may have left. */
  private password(login: Login | undefined): string {
    this.#askedForPassword += 1;
    if (login !== undefined && !this.#loginTried) {
      this.#loginTried = true;
      return `${login.password}\r`;
    }
    if (this.#askedForPassword > 4) {
      throw new ConsoleError(
        'login_required',
        'The console asks for a password and none is known. Nothing was typed.',
      );
    }
    return '\r';
  }
}

function throwIfLate(
  screen: ConsoleScreen,
  timings: ConsoleTimings,
  startMs: number,
  heardMs: number | undefined,
): void {
  const now = Date.now();
  if (now - (heardMs ?? startMs) >= timings.silentMs) {
    throw new ConsoleError(
      'silent',
      `The console accepted the connection but did not answer for ${timings.silentMs / 1000} s${lastWords(screen)}. The device may still be booting, be hung, or have a console that is not a text one; look at its console in GNS3 or restart the node.`,
    );
  }
  if (now - startMs >= timings.bootMs) {
    throw new ConsoleError(
      'booting',
      `No prompt appeared within ${timings.bootMs / 1000} s${lastWords(screen)}. The device seems to be still booting; try again in a minute.`,
    );
  }
}

export function closedError(screen: ConsoleScreen): ConsoleError {
  return new ConsoleError('closed', `The console closed the connection${lastWords(screen)}.`);
}

/** The end of what the device said, to tell a person what state it is in. */
function lastWords(screen: ConsoleScreen): string {
  const words = [...screen.lines.slice(-3), screen.current].filter((line) => line.trim() !== '').join(' / ');
  return words === '' ? '' : ` (last output: ${quote(words)})`;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(-200));
}
