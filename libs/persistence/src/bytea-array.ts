type Item = Buffer | null | Item[];

/**
 * Reads Postgres's text form of `bytea[]`, of any depth: `{"\\x6162",NULL}`. LangGraph's saver selects whole
 * conversations as such arrays, and the driver's own parser goes through them character by character: a
 * result of 2 MB held the event loop for over a second, long enough to lose a queue lock. This one jumps
 * from quote to quote; hex needs no unescaping.
 */
export function parseByteaArray(text: string): Item[] {
  const root: Item[] = [];
  const open = [root];
  for (let at = 0; at < text.length;) {
    const current = open.at(-1) ?? root;
    switch (text[at]) {
      case '{': {
        const inner: Item[] = [];
        current.push(inner);
        open.push(inner);
        at += 1;
        break;
      }
      case '}':
        open.pop();
        at += 1;
        break;
      case '"': {
        const end = text.indexOf('"', at + 1);
        current.push(Buffer.from(text.slice(at + HEX_START, end), 'hex'));
        at = end + 1;
        break;
      }
      case 'N':
        current.push(null);
        at += 'NULL'.length;
        break;
      default:
        at += 1;
    }
  }
  const [array] = root;
  return Array.isArray(array) ? array : [];
}

/** Length of `"\\x`. */
const HEX_START = 4;

export const BYTEA_ARRAY_OID = 1001;
