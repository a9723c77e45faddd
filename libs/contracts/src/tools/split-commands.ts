/**
 * The lines that a device would take as commands. A model may put several into one string, and a control
 * character may end a line, complete a word or open a help page on some device; so lines are split first and
 * judged afterwards, and what is judged is what is sent.
 */
export function splitCommands(commands: readonly string[]): string[] {
  return commands
    .flatMap((command) => command.split(LINE_END))
    .map((line) => line.replace(CONTROL, ' ').trim())
    .filter((line) => line !== '');
}

const LINE_END = /[\r\n\v\f\u0085\u2028\u2029]+/;
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;
