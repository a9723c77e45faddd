interface Entry {
  readonly texts: readonly string[];
  readonly tokens: number;
}

/** Characters of remembered text per generation, so at most twice this is held. */
const GENERATION_CHARS = 16_000_000;
const GENERATION_ENTRIES = 50_000;

/**
 * Token counts by key and content: a key alone proves nothing, its texts must be the same too. Two generations
 * bound it: when the young one is full it becomes the old one, and what is still in use moves back when asked
 * for. (Evicting a Map's oldest key one at a time costs far more than the counts it would save.)
 */
export class CountMemo {
  private young = new Map<string, Entry>();
  private old = new Map<string, Entry>();
  private youngChars = 0;

  get(key: string, texts: readonly string[]): number | undefined {
    const young = this.young.get(key);
    if (young && sameTexts(young.texts, texts)) return young.tokens;
    const old = this.old.get(key);
    if (!old || !sameTexts(old.texts, texts)) return undefined;
    this.set(key, old.texts, old.tokens);
    return old.tokens;
  }

  set(key: string, texts: readonly string[], tokens: number): void {
    const chars = texts.reduce((total, text) => total + text.length, 0);
    if (this.youngChars + chars > GENERATION_CHARS || this.young.size >= GENERATION_ENTRIES) {
      this.old = this.young;
      this.young = new Map();
      this.youngChars = 0;
    }
    this.youngChars += chars;
    this.young.set(key, { texts, tokens });
  }
}

function sameTexts(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((text, index) => text === second[index]);
}
