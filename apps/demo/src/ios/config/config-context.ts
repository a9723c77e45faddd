import type { Args, CommandTree } from '../command-tree';
import type { IosState } from '../ios-state';

/** Which part of the configuration the next line speaks of. */
export type ConfigTarget =
  | { kind: 'global' }
  | { kind: 'interface'; name: string }
  | { kind: 'router' }
  | { kind: 'line'; name: string };

/** What a line asks of the shell rather than of the configuration. */
export type ShellRequest = { kind: 'exit' } | { kind: 'end' } | { kind: 'do'; line: string };

export interface ConfigContext {
  readonly state: IosState;
  target: ConfigTarget;
  request?: ShellRequest;
}

export type ConfigAction = (context: ConfigContext, args: Args) => string[] | undefined;
export type ConfigTree = CommandTree<ConfigAction>;
