import type { CommandFamily } from '../../commands/read-only';

/** Where a prompt says the console is: `exec` is the level that may do everything but configure. */
export type PromptMode = 'user' | 'exec' | 'config';

export interface Prompt {
  host: string;
  mode: PromptMode;
  /** Changes were entered that the device has not put in force yet (Huawei `[*R1]`). */
  uncommitted?: boolean;
}

export interface Question {
  /** Matched against the line the cursor is on. */
  pattern: RegExp;
  yes: string;
  no: string;
}

/** How a configuration line has to be given to the device. */
export type ConfigStep =
  | { kind: 'config'; text: string }
  /** Only known outside configuration mode, such as saving. */
  | { kind: 'exec'; text: string }
  /** Entering and leaving configuration mode is done for the caller. */
  | { kind: 'skip' };

/** How the devices of one vendor are talked to. Declarative: the session does the talking. */
export interface ConsoleDriver {
  readonly name: string;
  /** Whose rules say which commands change nothing. */
  readonly family: CommandFamily;
  /** Recognises a whole line as a prompt. */
  parsePrompt(line: string): Prompt | undefined;
  /** VPCS loses an Enter that arrives together with the command; it is pressed after the echo. */
  readonly enterAfterEcho?: boolean;
  /** A prompt may show the host name followed by a dash and the view that is open (Huawei). */
  readonly viewAfterHost?: boolean;
  /** `mark` matches the pager's words from the beginning of a line. */
  readonly pager: { mark: RegExp; next: string; quit: string };
  /** Questions of the boot dialogs, answered while looking for the prompt. */
  readonly dialogs: readonly Question[];
  /** Questions that a command may ask. */
  readonly questions: readonly Question[];
  /** Stops a running command. */
  readonly interrupt: string;
  /** From user to exec level; left out where there is one level. */
  readonly enable?: string;
  /** Turns paging off and the like; a device may refuse any of them. */
  readonly setup: readonly string[];
  readonly config?: {
    readonly enter: string;
    readonly leave: string;
    /** Puts what was entered in force, where the prompt says that it is not. */
    readonly commit?: string;
    /** Throws away what was entered and is not in force. */
    readonly discard?: string;
    /** Joins lines that the device takes as one command, with line feeds. */
    join?(lines: readonly string[]): string[];
    /** Why a command would leave the console stuck. */
    refuse?(command: string): string | undefined;
    step(line: string): ConfigStep;
  };
  /** The device's own words where it refused a command that was given in that mode. */
  refusal(lines: readonly string[], mode: PromptMode, command: string): string | undefined;
  /** The host name that the prompt shows from this command on. */
  hostAfter?(command: string): string | undefined;
  /** How to see later whether a change took place. */
  readonly check: string;
}

/** The line under the cursor is the pager's and nothing else. */
export function isPager(driver: ConsoleDriver, line: string): boolean {
  return line !== '' && line.replace(driver.pager.mark, '') === '';
}
