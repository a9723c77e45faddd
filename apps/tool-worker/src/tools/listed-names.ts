/** Names that an error lists, so that a lab of hundreds does not fill the model's context. */
const MAX_LISTED_NAMES = 50;

const collator = new Intl.Collator('en', { numeric: true });

/** Names for an error, each once, R2 before R10. */
export function listedNames(names: readonly string[]): string {
  const sorted = [...new Set(names)].sort(collator.compare);
  if (sorted.length === 0) return 'none';
  const more = sorted.length - MAX_LISTED_NAMES;
  return sorted.slice(0, MAX_LISTED_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
