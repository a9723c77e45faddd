interface Entry {
  readonly texts: readonly string[];
  readonly tokens: number;
}

/** Characters of remembered text per generation, so at most twice this is held. */
const GENERATION_CHARS = 16_000_000;
const GENERATION_ENTRIES = 50_000;

/**
 * Token counts by key and content: a key alone proves nothing, its texts must be the same too, and a message
 * and its shortened form share one. Two generations bound it: when the young one is full it becomes the old
 * one, and what is still in use moves back when asked for. (Evicting a Map's oldest key one at a time costs far
 * more than the counts it would save.)
 */
export class CountMemo {
  private young = new Map<string, Entry[]>();
  private old = new Map<string, Entry[]>();
  private youngChars = 0;
  private youngEntries = 0;

  get(key: string, texts: readonly string[]): number | undefined {
    const young = find(this.young.get(key), texts);
    if (young) return young.tokens;
    const old = find(this.old.get(key), texts);
    if (old) this.set(key, old.texts, old.tokens);
    return old?.tokens;
  }

  set(key: string, texts: readonly string[], tokens: number): void {
    const chars = texts.reduce((total, text) => total + text.length, 0);
    if (this.youngChars + chars > GENERATION_CHARS || this.youngEntries >= GENERATION_ENTRIES) {
      this.old = this.young;
      this.young = new Map();
      this.youngChars = 0;
      this.youngEntries = 0;
    }
    this.youngChars += chars;
    this.youngEntries += 1;
    const entries = this.young.get(key);
    if (entries) entries.push({ texts, tokens });
    else this.young.set(key, [{ texts, tokens }]);
  }
}

function find(entries: readonly Entry[] | undefined, texts: readonly string[]): Entry | undefined {
  if (entries === undefined) return undefined;
  for (const entry of entries) if (sameTexts(entry.texts, texts)) return entry;
  return undefined;
}

function sameTexts(first: readonly string[], second: readonly string[]): boolean {
  if (first.length !== second.length) return false;
  for (let index = 0; index < first.length; index++) if (first[index] !== second[index]) return false;
  return true;
}
