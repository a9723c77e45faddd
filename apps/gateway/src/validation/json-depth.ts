/** More than any real body has, and far less than any stack. */
export const MAX_DEPTH = 32;

/** Whether parsed JSON is nested deeper than MAX_DEPTH. Not recursive itself. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
