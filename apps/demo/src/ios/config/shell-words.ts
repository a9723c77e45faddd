import { textArg } from '../args';
import { CommandTree } from '../command-tree';
import type { ConfigAction, ConfigTree } from './config-context';

/** A tree with the words that every configuration mode has. */
export function configMode(): ConfigTree {
  return new CommandTree<ConfigAction>()
    .add('exit', (context) => {
      context.request = { kind: 'exit' };
    })
    .add('end', (context) => {
      context.request = { kind: 'end' };
    })
    .add('do <command:line>', (context, args) => {
      context.request = { kind: 'do', line: textArg(args, 'command') };
    });
}

/** Lines that the device accepts and shows again, but that nothing in the simulation depends on. */
export function keepLines(
  tree: ConfigTree,
  patterns: readonly string[],
  listOf: (context: Parameters<ConfigAction>[0]) => string[] | undefined,
): void {
  for (const pattern of patterns) {
    const words = pattern.replace(/ ?<.*$/, '');
    const write = (args: Parameters<ConfigAction>[1]): string =>
      [words, args.get('text')].filter(Boolean).join(' ');
    tree.add(pattern, (context, args) => {
      const list = listOf(context);
      const line = write(args);
      if (list && !list.includes(line)) list.push(line);
      return undefined;
    });
    const forget: ConfigAction = (context, args) => {
      const list = listOf(context);
      const line = write(args);
      list?.splice(0, list.length, ...list.filter((kept) => kept !== line && !kept.startsWith(`${line} `)));
      return undefined;
    };
    tree.add(`no ${pattern}`, forget);
    if (pattern !== words) tree.add(`no ${words}`, forget);
  }
}

/** Features that are on unless the configuration says `no`. */
export function keepSwitches(
  tree: ConfigTree,
  names: readonly string[],
  listOf: (context: Parameters<ConfigAction>[0]) => string[] | undefined,
): void {
  for (const name of names) {
    const off = `no ${name}`;
    tree.add(name, (context) => {
      const list = listOf(context);
      list?.splice(0, list.length, ...list.filter((kept) => kept !== off));
      return undefined;
    });
    tree.add(off, (context) => {
      const list = listOf(context);
      if (list && !list.includes(off)) list.push(off);
      return undefined;
    });
  }
}
