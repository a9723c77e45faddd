import type { Terminal, TypedLine } from '../consoles/terminal';
import type { Match } from './command-tree';
import { configTree, matchConfigLine } from './configuration';
import type { ConfigContext } from './config/config-context';
import { privilegedCommands, userCommands } from './exec-commands';
import type { ExecAction, ExecContext, ExecTree, IosMode } from './exec-context';
import type { RouterView } from './router-view';
import { noticeChanges } from './change-log';
import { applyPipe, splitPipe } from './output-filter';
import { showPaged } from './pager';

/** The console session of a router: one for all clients, as on a serial line. */
export class IosShell implements ExecContext {
  mode: IosMode = { kind: 'user' };
  pageLength = 24;
  isAsleep = true;

  constructor(
    readonly router: RouterView,
    readonly terminal: Terminal,
  ) {}

  /** Ends only by the power-off that the terminal throws. */
  async run(): Promise<never> {
    let typedAhead = '';
    for (;;) {
      if (this.isAsleep) await this.wake();
      const typed: TypedLine = await this.terminal.readLine(this.prompt(), {
        helpKey: true,
        initial: typedAhead,
        completions: (before) => this.tree().help(before),
      });
      typedAhead = '';
      if (typed.end === 'help') {
        this.showHelp(typed.text);
        typedAhead = typed.text;
      } else if (typed.end !== 'enter') {
        this.leaveConfiguration();
      } else if (typed.text.trim() !== '') {
        await this.obey(typed.text);
      }
    }
  }

  logout(): void {
    this.mode = { kind: 'user' };
    this.isAsleep = true;
    this.pageLength = 24;
    this.terminal.print(
      `\n${this.router.state.hostname} con0 is now available\n\n\nPress RETURN to get started.\n\n\n`,
    );
  }

  private async wake(): Promise<void> {
    for (let key = await this.terminal.readKey(); key !== '\r' && key !== '\n';)
      key = await this.terminal.readKey();
    this.isAsleep = false;
    this.terminal.print('\n');
  }

  private async obey(line: string): Promise<void> {
    this.router.world.record(this.router.name, line, this.modeName());
    await this.pauseBeforeAnswer();
    if (this.mode.kind === 'config') await this.configure(this.mode, line);
    else await this.execute(this.mode.kind === 'exec' ? privilegedCommands : userCommands, line, 0);
  }

  private async execute(tree: ExecTree, line: string, column: number): Promise<void> {
    const [command, pipe] = splitPipe(line);
    const match: Match<ExecAction> = tree.match(command);
    if (match.kind !== 'run') return this.refuse(match, column);
    const lines = await match.action(this, match.args);
    if (!lines) return;
    const filtered = applyPipe(lines, pipe);
    if (!filtered) return this.refuse({ kind: 'invalid', column: command.length + 2 }, column);
    await showPaged(this.terminal, filtered, this.pageLength);
  }

  private async configure(
    mode: { kind: 'config'; target: ConfigContext['target'] },
    line: string,
  ): Promise<void> {
    if (line.trimStart().startsWith('!')) return;
    const context: ConfigContext = { state: this.router.state, target: mode.target };
    const match = matchConfigLine(context, line);
    if (match.kind !== 'run') return this.refuse(match, 0);
    const told = noticeChanges(this.router, () => match.action(context, match.args));
    this.mode = { kind: 'config', target: context.target };
    if (told) this.terminal.print(`${told.join('\n')}\n`);
    const { request } = context;
    if (request?.kind === 'end' || (request?.kind === 'exit' && context.target.kind === 'global')) {
      this.leaveConfiguration();
    } else if (request?.kind === 'exit') {
      this.mode = { kind: 'config', target: { kind: 'global' } };
    } else if (request?.kind === 'do') {
      await this.execute(privilegedCommands, request.line, line.length - request.line.length);
    }
  }

  private leaveConfiguration(): void {
    if (this.mode.kind !== 'config') return;
    this.mode = { kind: 'exec' };
    this.router.log('%SYS-5-CONFIG_I: Configured from console by console');
  }

  private refuse(match: Exclude<Match<unknown>, { kind: 'run' }>, column: number): void {
    switch (match.kind) {
      case 'ambiguous':
        return this.terminal.print(`% Ambiguous command:  "${match.line}"\n`);
      case 'incomplete':
        return this.terminal.print('% Incomplete command.\n\n');
      case 'invalid': {
        const indent = ' '.repeat(this.prompt().length + column + match.column);
        return this.terminal.print(`${indent}^\n% Invalid input detected at '^' marker.\n\n`);
      }
    }
  }

  private showHelp(before: string): void {
    const words = this.tree().help(before);
    const partial = before !== '' && !/\s$/.test(before);
    const shown = partial ? words.join('  ') : words.map((word) => `  ${word}`).join('\n');
    this.terminal.print(words.length === 0 ? '% Unrecognized command\n' : `${shown}\n\n`);
  }

  private tree(): { help(before: string): string[] } {
    switch (this.mode.kind) {
      case 'user':
        return userCommands;
      case 'exec':
        return privilegedCommands;
      case 'config':
        return configTree(this.mode.target);
    }
  }

  private modeName(): string {
    if (this.mode.kind !== 'config') return this.mode.kind;
    const { kind } = this.mode.target;
    return kind === 'global' ? 'config' : `config-${kind === 'interface' ? 'if' : kind}`;
  }

  private prompt(): string {
    const { hostname } = this.router.state;
    if (this.mode.kind === 'user') return `${hostname}>`;
    if (this.mode.kind === 'exec') return `${hostname}#`;
    // Long names are cut in configuration prompts only.
    return `${hostname.slice(0, 20)}(${this.modeName()})#`;
  }

  private async pauseBeforeAnswer(): Promise<void> {
    const { latencyMs } = this.router.world.pace;
    if (latencyMs > 0) await this.terminal.pause(latencyMs);
  }
}
