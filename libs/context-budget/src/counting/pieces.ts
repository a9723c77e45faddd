import {
  after,
  BREAK,
  classAt,
  DIGIT,
  END,
  isBlank,
  isLetter,
  isSymbol,
  LOWER,
  MARK,
  UNCASED,
  UPPER,
} from './char-classes';

/**
 * The encodings' split patterns, written as scanners. A regular expression does the same on ordinary text, but
 * its backtracking stack grows with the length of a run, and it cannot be trusted with megabytes of one
 * character. The spec compares each scanner with the pattern that js-tiktoken ships.
 */
export type NextPiece = (text: string, start: number) => number;

/** End of a contraction ('s 't 'm 'd 're 've 'll, any ASCII case) that starts at `index`, else `index`. */
function contractionEnd(text: string, index: number): number {
  if (text.charCodeAt(index) !== 0x27) return index;
  const first = String.fromCharCode(text.charCodeAt(index + 1) | 0x20);
  if (first === 's' || first === 't' || first === 'm' || first === 'd') return index + 2;
  const pair = first + String.fromCharCode(text.charCodeAt(index + 2) | 0x20);
  return pair === 're' || pair === 've' || pair === 'll' ? index + 3 : index;
}

function lettersEnd(text: string, start: number): number {
  let index = start;
  while (isLetter(classAt(text, index))) index = after(text, index);
  return index;
}

/** `\p{N}{1,3}` from a digit. */
function digitsEnd(text: string, start: number): number {
  let index = after(text, start);
  for (let digits = 1; digits < 3 && classAt(text, index) === DIGIT; digits++) index = after(text, index);
  return index;
}

/** ` ?[^\s\p{L}\p{N}]+[\r\n]*` (with a slash among the line breaks for o200k), or `start` where it does not match. */
function symbolsEnd(text: string, start: number, takesSlash: boolean): number {
  let index = text.charCodeAt(start) === 0x20 ? start + 1 : start;
  if (!isSymbol(classAt(text, index))) return start;
  while (isSymbol(classAt(text, index))) index = after(text, index);
  while (classAt(text, index) === BREAK || (takesSlash && text.charCodeAt(index) === 0x2f)) index++;
  return index;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+` from a white space character. */
function blanksEnd(text: string, start: number): number {
  let index = start;
  let afterBreak = start;
  for (let kind = classAt(text, index); isBlank(kind); kind = classAt(text, index)) {
    index++;
    if (kind === BREAK) afterBreak = index;
  }
  if (afterBreak > start) return afterBreak;
  // The last blank before a word goes with the word.
  return index - start > 1 && classAt(text, index) !== END ? index - 1 : index;
}

export const nextCl100kPiece: NextPiece = (text, start) => {
  const kind = classAt(text, start);
  if (isLetter(kind)) return lettersEnd(text, start);
  if (kind === DIGIT) return digitsEnd(text, start);
  if (kind === BREAK) return blanksEnd(text, start);
  const contraction = contractionEnd(text, start);
  if (contraction > start) return contraction;
  const second = after(text, start);
  if (isLetter(classAt(text, second))) return lettersEnd(text, second);
  const symbols = symbolsEnd(text, start, false);
  return symbols > start ? symbols : blanksEnd(text, start);
};

const isUpper = (kind: number): boolean => kind === UPPER || kind === UNCASED || kind === MARK;
const isLower = (kind: number): boolean => kind === LOWER || kind === UNCASED || kind === MARK;

/** `[upper]*[lower]+` from `start`, or `start` where it does not match. */
function lowerWordEnd(text: string, start: number): number {
  let index = start;
  let afterUncased = start;
  for (let kind = classAt(text, index); isUpper(kind); kind = classAt(text, index)) {
    index = after(text, index);
    if (kind !== UPPER) afterUncased = index;
  }
  // No lower-case letter follows: the pattern gives back up to the last character that counts as both.
  if (classAt(text, index) !== LOWER) return afterUncased;
  while (isLower(classAt(text, index))) index = after(text, index);
  return index;
}

/** `[upper]+` from `start`. A lower-case letter after it would have made a lower word. */
function upperWordEnd(text: string, start: number): number {
  let index = start;
  while (isUpper(classAt(text, index))) index = after(text, index);
  return index;
}

export const nextO200kPiece: NextPiece = (text, start) => {
  const kind = classAt(text, start);
  if (kind === DIGIT) return digitsEnd(text, start);
  if (kind === BREAK) return blanksEnd(text, start);
  // One character that is no letter may lead a word; a mark may also begin the word itself.
  const word = isLetter(kind) ? start : after(text, start);
  for (const wordEnd of [lowerWordEnd, upperWordEnd]) {
    const led = wordEnd(text, word);
    if (led > word) return contractionEnd(text, led);
    const bare = wordEnd(text, start);
    if (bare > start) return contractionEnd(text, bare);
  }
  const symbols = symbolsEnd(text, start, true);
  return symbols > start ? symbols : blanksEnd(text, start);
};
