/** A line longer than this is folded, so that an output without line breaks can be read line by line too. */
export const MAX_LINE_CHARS = 500;

export interface OutputLine {
  readonly text: string;
  /** Folded: the next one is the same line of the output. */
  readonly goesOn: boolean;
}

/**
 * A stored result as lines to read. Results are JSON in which all that a device has printed is one string; its
 * line breaks are made real, or there would be nothing to count or to search by line.
 */
export function outputLines(output: string): OutputLine[] {
  return (isJson(output) ? unescaped(output) : output).split(/\r?\n/).flatMap(folded);
}

export interface NumberedLine {
  /** From 0. */
  readonly number: number;
  readonly text: string;
}

/** Lines with the plain text, upper or lower case; a match over a fold counts for the piece it begins in. */
export function matchingLines(lines: readonly OutputLine[], wanted: string): NumberedLine[] {
  const needle = wanted.toLowerCase();
  return lines.flatMap(({ text, goesOn }, number) => {
    const seam = goesOn ? (lines[number + 1]?.text ?? '').slice(0, needle.length - 1) : '';
    const reach = text + seam;
    return reach.toLowerCase().includes(needle) ? [{ number, text: reach }] : [];
  });
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '', t: '\t', '"': '"', '\\': '\\', '/': '/' };

function unescaped(json: string): string {
  return json.replaceAll(/\\(.)/g, (escape, kind: string) => ESCAPES[kind] ?? escape);
}

function folded(line: string): OutputLine[] {
  const pieces: OutputLine[] = [];
  let start = 0;
  while (line.length - start > MAX_LINE_CHARS) {
    // Never half a surrogate pair.
    const end = start + MAX_LINE_CHARS - (isLowSurrogate(line.charCodeAt(start + MAX_LINE_CHARS)) ? 1 : 0);
    pieces.push({ text: line.slice(start, end), goesOn: true });
    start = end;
  }
  return [...pieces, { text: line.slice(start), goesOn: false }];
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
