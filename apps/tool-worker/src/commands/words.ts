/** The words of a command in lower case, without what may stand before a command and changes nothing of it. */
export function commandWords(command: string): string[] {
  const words = command.trim().toLowerCase().split(/\s+/);
  const first = words.findIndex((word) => word !== 'do' && word !== 'run');
  return first < 0
    ? []
    : [(words[first] ?? '').replace(/^[/]+/, ''), ...words.slice(first + 1)].filter(Boolean);
}

/**
 * Whether a word may be short for a keyword. Devices accept any beginning that no other keyword shares; which
 * those are depends on device and mode, so every beginning of at least `minChars` letters counts.
 */
export function abbreviates(word: string, keyword: string, minChars = 2): boolean {
  return word.length >= Math.min(minChars, keyword.length) && keyword.startsWith(word);
}
