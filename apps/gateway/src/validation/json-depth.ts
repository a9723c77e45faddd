/** More than any real body has, and far less than any stack. */
export const MAX_DEPTH = 32;

/** Whether parsed JSON is nested deeper than MAX_DEPTH. Not recursive itself. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap(jsonChildren);
  }
  return false;
}

/** The values right inside a parsed JSON value. */
function jsonChildren(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: [string, unknown][] = Object.entries(value);
  return entries.map(([, child]) => child);
}
