/** `show run | include x` -> the command and what follows its first pipe. */
export function splitPipe(line: string): [command: string, pipe: string | undefined] {
  const at = line.indexOf(' | ');
  return at < 0 ? [line, undefined] : [line.slice(0, at), line.slice(at + 3).trim()];
}

/** The lines that a pipe lets through; undefined for a pipe that the device does not know. */
export function applyPipe(lines: readonly string[], pipe: string | undefined): readonly string[] | undefined {
  if (pipe === undefined) return lines;
  const [, word = '', pattern] = /^(\S+)\s+(.+)$/.exec(pipe) ?? [];
  const names = ['begin', 'count', 'exclude', 'include', 'section'].filter((name) =>
    name.startsWith(word.toLowerCase()),
  );
  const test = pattern === undefined ? undefined : matcher(pattern);
  if (names.length !== 1 || !test) return undefined;
  switch (names[0]) {
    case 'begin': {
      const first = lines.findIndex(test);
      return first < 0 ? [] : lines.slice(first);
    }
    case 'count':
      return [`Number of lines which match regexp = ${lines.filter(test).length}`];
    case 'exclude':
      return lines.filter((line) => !test(line));
    case 'include':
      return lines.filter(test);
    default:
      return sections(lines, test);
  }
}

/** Lines that match, each with the indented lines below it. */
function sections(lines: readonly string[], test: (line: string) => boolean): string[] {
  let inside = false;
  return lines.filter((line) => {
    if (!line.startsWith(' ')) inside = test(line);
    return inside || test(line);
  });
}

/** Patterns come from outside: anything that is not a plain word is looked for as it stands. */
function matcher(pattern: string): (line: string) => boolean {
  const words = pattern.split('|').map((word) => word.trim());
  const anchored = (line: string, word: string): boolean =>
    word.startsWith('^') ? line.startsWith(word.slice(1)) : line.includes(word);
  return (line) => words.some((word) => word !== '' && anchored(line, word));
}
