/** What a device or a server says differently each time although nothing has changed. */
const CHANGING: readonly RegExp[] = [
  // UUIDs and hashes in one pass: almost every place of a text could begin one.
  /\b[0-9a-fA-F]{8}(?:-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|[0-9a-fA-F]{8,56})\b/g,
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g,
  /(?<![\d.:])\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?![\d:])/g,
  // Bounded repeats: a console may send a megabyte of digits.
  /\b\d{1,12}(?:[.,]\d{1,9})?(?:\/\d{1,12}(?:[.,]\d{1,9})?){0,4}\s{0,3}(?:[mu]s|msecs?|milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|years?)\b/gi,
  /\b(?:\d{1,6}[ywdhms]){1,4}\b/g,
];

/** A short stand-in for a result, the same for results that differ in times, durations and ids only. */
export function resultFingerprint(text: string): string {
  return fingerprint(CHANGING.reduce((rest, pattern) => rest.replace(pattern, '#'), text));
}

/** The same for the same tool with the same arguments, however they are written. */
export function callFingerprint(name: string, args: unknown): string {
  return fingerprint(`${name} ${canonical(args)}`);
}

/** JSON with the keys of every object in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Two FNV-1a sums and the length: no secret and no proof, only unlikely to meet by chance. */
function fingerprint(text: string): string {
  let first = 0x811c9dc5;
  let second = 0x050c5d1f;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x01000193) ^ (second >>> 15);
  }
  return [first, second, text.length].map((part) => (part >>> 0).toString(36)).join('.');
}
