import type { Terminal } from '../consoles/terminal';

const MORE = ' --More-- ';
const ERASE = '\b'.repeat(9) + ' '.repeat(8) + '\b'.repeat(9);

/** Shows lines a page at a time: space for the next page, Enter for one line, anything else to stop. */
export async function showPaged(
  terminal: Terminal,
  lines: readonly string[],
  pageLength: number,
): Promise<void> {
  let room = pageLength === 0 ? Infinity : pageLength - 1;
  let page: string[] = [];
  for (const line of lines) {
    if (page.length === room) {
      terminal.print(`${page.join('\n')}\n${MORE}`);
      const key = await terminal.readKey();
      terminal.print(ERASE);
      page = [];
      if (key === '\r' || key === '\n') room = 1;
      else if (key === ' ') room = pageLength - 1;
      else return terminal.print('\n');
    }
    page.push(line);
  }
  if (page.length > 0) terminal.print(`${page.join('\n')}\n`);
}
