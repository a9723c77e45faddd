import { readParam, type ParamKind, type Token } from './params';

/** What a matched line gave its action: parameters by name, as canonical text. */
export type Args = ReadonlyMap<string, string>;

export type Match<Action> =
  | { kind: 'run'; action: Action; args: Args }
  | { kind: 'ambiguous'; line: string }
  | { kind: 'incomplete' }
  | { kind: 'invalid'; column: number };

interface Param<Action> {
  readonly name: string;
  readonly type: ParamKind;
  readonly low: number;
  readonly high: number;
  readonly next: TreeNode<Action>;
}

class TreeNode<Action> {
  readonly keywords = new Map<string, TreeNode<Action>>();
  readonly params: Param<Action>[] = [];
  action: Action | undefined;
}

/**
 * Commands of one mode. A pattern is keywords and parameters, e.g.
 * `ip route <network:address> <mask:mask> <distance:number:1-255>`.
 * Keywords may be shortened as long as one only is left, as on the device.
 */
export class CommandTree<Action> {
  private readonly root = new TreeNode<Action>();

  add(pattern: string, action: Action): this {
    let node = this.root;
    for (const word of pattern.split(' '))
      node = word.startsWith('<') ? paramChild(node, word) : keywordChild(node, word);
    node.action = action;
    return this;
  }

  match(line: string): Match<Action> {
    const tokens = tokenise(line);
    const args = new Map<string, string>();
    let node = this.root;
    let index = 0;
    while (index < tokens.length) {
      const token = tokens[index];
      if (!token) break;
      const words = keywordsFor(node, token.text);
      if (words.length > 1) return { kind: 'ambiguous', line: line.trim() };
      const only = words[0];
      if (only) {
        node = only[1];
        index += 1;
        continue;
      }
      const taken = takeParam(node, line, tokens, index);
      if (!taken) return { kind: 'invalid', column: token.column + agreement(node, token.text) };
      args.set(taken.name, taken.value);
      node = taken.next;
      index += taken.tokens;
    }
    return node.action === undefined ? { kind: 'incomplete' } : { kind: 'run', action: node.action, args };
  }

  /** What `?` lists after a text: the words that could come next, or that the started word could become. */
  help(before: string): string[] {
    const tokens = tokenise(before);
    const started = before === '' || /\s$/.test(before) ? undefined : tokens.pop();
    let node: TreeNode<Action> | undefined = this.root;
    for (let index = 0; index < tokens.length && node;) {
      const only: [string, TreeNode<Action>] | undefined = keywordsFor(node, tokens[index]?.text ?? '')[0];
      const taken: Taken<Action> | undefined = only ? undefined : takeParam(node, before, tokens, index);
      node = only ? only[1] : taken?.next;
      index += taken?.tokens ?? 1;
    }
    if (!node) return [];
    if (started) return keywordsFor(node, started.text).map(([word]) => word);
    const words = [...node.keywords.keys(), ...node.params.map((param) => param.name.toUpperCase())];
    return [...words.sort(), ...(node.action === undefined ? [] : ['<cr>'])];
  }
}

function keywordChild<Action>(node: TreeNode<Action>, word: string): TreeNode<Action> {
  const known = node.keywords.get(word);
  if (known) return known;
  const next = new TreeNode<Action>();
  node.keywords.set(word, next);
  return next;
}

function paramChild<Action>(node: TreeNode<Action>, word: string): TreeNode<Action> {
  const match = /^<([a-z-]+):([a-z]+)(?::(\d+)-(\d+))?>$/.exec(word);
  const [, name, type, low, high] = match ?? [];
  if (!name || !isParamKind(type)) throw new Error(`bad parameter in a command pattern: ${word}`);
  const known = node.params.find((param) => param.name === name && param.type === type);
  if (known) return known.next;
  const next = new TreeNode<Action>();
  node.params.push({ name, type, low: Number(low ?? 0), high: Number(high ?? 4294967295), next });
  return next;
}

function isParamKind(type: string | undefined): type is ParamKind {
  return type !== undefined && ['address', 'mask', 'number', 'word', 'interface', 'line'].includes(type);
}

function tokenise(line: string): Token[] {
  return [...line.matchAll(/\S+/g)].map((match) => ({ text: match[0], column: match.index }));
}

/** A whole word wins over longer ones that start with it. */
function keywordsFor<Action>(node: TreeNode<Action>, text: string): [string, TreeNode<Action>][] {
  const typed = text.toLowerCase();
  const exact = node.keywords.get(typed);
  if (exact) return [[typed, exact]];
  return [...node.keywords].filter(([word]) => word.startsWith(typed));
}

interface Taken<Action> {
  readonly name: string;
  readonly value: string;
  readonly tokens: number;
  readonly next: TreeNode<Action>;
}

function takeParam<Action>(
  node: TreeNode<Action>,
  line: string,
  tokens: readonly Token[],
  index: number,
): Taken<Action> | undefined {
  for (const param of node.params) {
    const read = readParam(param.type, line, tokens, index);
    if (!read) continue;
    const outOfRange =
      param.type === 'number' && (Number(read.value) < param.low || Number(read.value) > param.high);
    if (!outOfRange) return { name: param.name, value: read.value, tokens: read.tokens, next: param.next };
  }
  return undefined;
}

/** How many letters of the word fit some keyword: the device puts its caret under the first that does not. */
function agreement<Action>(node: TreeNode<Action>, text: string): number {
  const typed = text.toLowerCase();
  let best = 0;
  for (const word of node.keywords.keys()) {
    let length = 0;
    while (length < typed.length && typed[length] === word[length]) length += 1;
    best = Math.max(best, length);
  }
  return Math.min(best, text.length - 1);
}
