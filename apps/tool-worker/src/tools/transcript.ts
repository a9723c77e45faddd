import { MAX_OUTPUT_CHARS, type CommandOutcome } from '../consoles/command-run';

/** What was sent to a device and what came of it, in order. */
export class Transcript {
  readonly #outcomes: CommandOutcome[] = [];
  #chars = 0;

  add(outcome: CommandOutcome): void {
    this.#outcomes.push(outcome);
    this.#chars += outcome.output.length;
  }

  /** So much was received from the device that nothing more should be asked for. */
  get full(): boolean {
    return this.#chars > MAX_OUTPUT_CHARS;
  }

  get sent(): string[] {
    return this.#outcomes.map(({ command }) => command);
  }

  /** Commands that ended at the prompt and were not refused. */
  get succeeded(): number {
    return this.#outcomes.filter(isDone).length;
  }

  /** As on the device's screen: each command after its prompt, then its output. */
  text(separator: string): string {
    return this.#outcomes
      .map(({ promptLine, command, output }) =>
        output === '' ? promptLine + command : `${promptLine}${command}\n${output}`,
      )
      .join(separator);
  }
}

export function isDone(outcome: CommandOutcome): boolean {
  return outcome.end === 'prompt' && outcome.refusal === undefined;
}

/** Why a console could not be used, or not any longer. */
export function consoleFault(reason: string, { sent }: { sent: readonly string[] }): string {
  return sent.length === 0 ? `${reason} No command was sent.` : reason;
}

/** Why a command was not carried out to its end, in one sentence. */
export function faultOf(outcome: CommandOutcome, name: string, timeoutMs: number): string | undefined {
  switch (outcome.end) {
    case 'prompt':
      return outcome.refusal === undefined ? undefined : `${name} was refused: ${outcome.refusal.trim()}`;
    case 'timeout':
      return `${name} did not end within ${timeoutMs / 1000} s; its output is incomplete.`;
    case 'overflow':
      return `${name} gave more than ${MAX_OUTPUT_CHARS} characters; its output is incomplete.`;
    case 'closed':
      return `${name} was sent and the console then closed the connection; its output may be incomplete.`;
    case 'login':
      return `${name} was sent and the console then asked for a login; log in on the console or set the node's default user name and password in GNS3.`;
    case 'aborted':
      return `${name} was sent and then the call was stopped; its output is incomplete.`;
  }
}

export function lineName(index: number, command: string): string {
  return `Line ${index + 1} '${command}'`;
}

/** "a, b and 3 more", short enough for an error text. */
export function shortList(items: readonly string[]): string {
  const shown = items
    .slice(0, 10)
    .map((item) => `'${item}'`)
    .join(', ');
  return items.length > 10 ? `${shown} and ${items.length - 10} more` : shown;
}
