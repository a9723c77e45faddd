/** What the encodings' split patterns ask of a character. The classes exclude one another. */
export const OTHER = 0;
export const UPPER = 1; // Lu, Lt
export const LOWER = 2; // Ll
export const UNCASED = 3; // Lm, Lo: letters that o200k's pattern takes for upper and for lower
export const DIGIT = 4; // any \p{N}
export const SPACE = 5; // \s but not a line break
export const BREAK = 6; // \r or \n
export const MARK = 7; // \p{M}: no letter for cl100k, both cases for o200k
/** Past the end of the text. */
export const END = 8;

const PAGE_BITS = 8;
const pages: (Uint8Array | undefined)[] = [];

function classify(character: string): number {
  if (character === '\r' || character === '\n') return BREAK;
  if (/\s/u.test(character)) return SPACE;
  if (/\p{N}/u.test(character)) return DIGIT;
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return UPPER;
  if (/\p{Ll}/u.test(character)) return LOWER;
  if (/\p{L}/u.test(character)) return UNCASED;
  return /\p{M}/u.test(character) ? MARK : OTHER;
}

/** Pages are filled when first met: most texts use three or four of the 4,352. */
function fillPage(page: number): Uint8Array {
  const classes = Uint8Array.from({ length: 1 << PAGE_BITS }, (_, low) =>
    classify(String.fromCodePoint((page << PAGE_BITS) | low)),
  );
  pages[page] = classes;
  return classes;
}

/** Class of the character that starts at `index`, END after the last one. A lone surrogate is OTHER. */
export function classAt(text: string, index: number): number {
  if (index >= text.length) return END;
  let code = text.charCodeAt(index);
  if (code >= 0xd800 && code < 0xdc00) code = text.codePointAt(index) ?? code;
  return (pages[code >>> PAGE_BITS] ?? fillPage(code >>> PAGE_BITS))[code & 0xff] ?? OTHER;
}

/** Index of the character after the one at `index`: a surrogate pair is one character. */
export function after(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0xd800 || code >= 0xdc00) return index + 1;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next < 0xe000 ? index + 2 : index + 1;
}

export const isLetter = (kind: number): boolean => kind >= UPPER && kind <= UNCASED;
export const isBlank = (kind: number): boolean => kind === SPACE || kind === BREAK;
/** Neither letter, digit nor white space; a mark is one of these. */
export const isSymbol = (kind: number): boolean => kind === OTHER || kind === MARK;
