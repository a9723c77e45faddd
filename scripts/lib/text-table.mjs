/** Columns as wide as their widest cell, for a terminal. Chinese characters take two places. */
export function textTable(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column]))));
  const line = (row) =>
    row
      .map((cell, column) => cell + ' '.repeat(widths[column] - widthOf(cell)))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

const widthOf = (text) => [...text].reduce((sum, char) => sum + (/\p{Script=Han}/u.test(char) ? 2 : 1), 0);
