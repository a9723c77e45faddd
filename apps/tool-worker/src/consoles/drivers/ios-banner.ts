/** `banner motd #`, the text's delimiter and what follows it. `^C` is one delimiter of two characters. */
const BANNER = /^banner\s+(?:[a-z-]+\s+)?(\^C|[^\w\s])(.*)$/i;

/** Longest text that is typed without a prompt in between. */
const MAX_BANNER_LINES = 40;

/**
 * Joins the lines of a banner, from its `banner` to its end delimiter, with line feeds: the device shows no
 * prompt before the end, and takes none of the lines as a command.
 */
export function joinBanners(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let open: string | undefined;
  for (const line of lines) {
    if (open === undefined) {
      joined.push(line);
      open = openDelimiter(line);
    } else {
      joined.push(`${joined.pop() ?? ''}\n${line}`);
      if (line.includes(open)) open = undefined;
    }
  }
  return joined;
}

/** A banner without an end would swallow whatever is typed next, for ever. */
export function bannerRefusal(command: string): string | undefined {
  const lines = command.split('\n');
  const delimiter = openDelimiter(lines[0] ?? '');
  if (delimiter === undefined) return undefined;
  if (!(lines.at(-1) ?? '').includes(delimiter) || lines.length === 1) {
    return `The banner has no end: no later line has its delimiter '${delimiter}'.`;
  }
  return lines.length > MAX_BANNER_LINES ? `The banner has more than ${MAX_BANNER_LINES} lines.` : undefined;
}

/** The delimiter that is still to come, if the line begins a banner and does not end it. */
function openDelimiter(line: string): string | undefined {
  const [, delimiter, rest = ''] = BANNER.exec(line) ?? [];
  return delimiter === undefined || rest.includes(delimiter) ? undefined : delimiter;
}
