/** Postgres text cannot hold NUL, and UTF-8 no lone surrogate: both become U+FFFD instead of an error. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
