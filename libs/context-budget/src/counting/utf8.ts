/** Bytes a UTF-16 unit takes at most in UTF-8. */
export const MAX_BYTES_PER_UNIT = 3;

const REPLACEMENT = 0xfffd;

/**
 * Writes `text[start..end)` as UTF-8 at the beginning of `bytes` and returns the number of bytes. Counting
 * does this for every few characters, where TextEncoder's call and its substring cost more than the work.
 * A lone surrogate becomes U+FFFD, as with TextEncoder.
 */
export function writeUtf8(text: string, start: number, end: number, bytes: Uint8Array): number {
  let length = 0;
  for (let index = start; index < end; index++) {
    let code = text.charCodeAt(index);
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    if (code < 0x800) {
      bytes[length++] = 0xc0 | (code >> 6);
      bytes[length++] = 0x80 | (code & 0x3f);
      continue;
    }
    if (code >= 0xd800 && code < 0xe000) {
      const whole = text.codePointAt(index) ?? REPLACEMENT;
      if (whole > 0xffff && index + 1 < end) {
        index++;
        bytes[length++] = 0xf0 | (whole >> 18);
        bytes[length++] = 0x80 | ((whole >> 12) & 0x3f);
        bytes[length++] = 0x80 | ((whole >> 6) & 0x3f);
        bytes[length++] = 0x80 | (whole & 0x3f);
        continue;
      }
      code = REPLACEMENT;
    }
    bytes[length++] = 0xe0 | (code >> 12);
    bytes[length++] = 0x80 | ((code >> 6) & 0x3f);
    bytes[length++] = 0x80 | (code & 0x3f);
  }
  return length;
}
