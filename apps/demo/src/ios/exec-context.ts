import type { Terminal } from '../consoles/terminal';
import type { Args, CommandTree } from './command-tree';
import type { ConfigTarget } from './config/config-context';
import type { RouterView } from './router-view';

export type IosMode = { kind: 'user' } | { kind: 'exec' } | { kind: 'config'; target: ConfigTarget };

/** What an exec command may do: read and save the router, talk to the terminal, move between modes. */
export interface ExecContext {
  readonly router: RouterView;
  readonly terminal: Terminal;
  mode: IosMode;
  /** Lines a page; 0 switches paging off. */
  pageLength: number;
  /** The console goes back to "Press RETURN". */
  logout(): void;
}

/** Lines to show (through the pager), or nothing when the command has written for itself. */
export type ExecOutput = readonly string[] | undefined;
export type ExecAction = (context: ExecContext, args: Args) => ExecOutput | Promise<ExecOutput>;
export type ExecTree = CommandTree<ExecAction>;
