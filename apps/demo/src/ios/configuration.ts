import type { Match } from './command-tree';
import type { ConfigAction, ConfigContext, ConfigTarget, ConfigTree } from './config/config-context';
import { globalCommands } from './config/global-commands';
import { interfaceCommands } from './config/interface-commands';
import { lineCommands } from './config/line-commands';
import { routerCommands } from './config/router-commands';
import type { IosState } from './ios-state';

export function configTree(target: ConfigTarget): ConfigTree {
  switch (target.kind) {
    case 'global':
      return globalCommands;
    case 'interface':
      return interfaceCommands;
    case 'router':
      return routerCommands;
    case 'line':
      return lineCommands;
  }
}

/** A line that its sub-mode does not know is tried as a global one, as the device does. */
export function matchConfigLine(context: ConfigContext, line: string): Match<ConfigAction> {
  const inside = configTree(context.target).match(line);
  if (inside.kind === 'run' || context.target.kind === 'global') return inside;
  const outside = globalCommands.match(line);
  if (outside.kind === 'run') {
    context.target = { kind: 'global' };
    return outside;
  }
  return progress(outside) > progress(inside) ? outside : inside;
}

/** Boots a configuration. Interfaces that it names are up unless it says `shutdown`. */
export function applyConfiguration(state: IosState, lines: readonly string[]): void {
  const context: ConfigContext = { state, target: { kind: 'global' } };
  for (const line of lines) {
    if (line.startsWith('!') || line === 'end' || /^(version|service) /.test(line)) continue;
    if (!line.startsWith(' ')) context.target = { kind: 'global' };
    const match = matchConfigLine(context, line);
    if (match.kind !== 'run')
      throw new Error(`the saved configuration has a line that does not parse: ${line}`);
    match.action(context, match.args);
    const { target } = context;
    const each = target.kind === 'interface' ? state.interfaces.get(target.name) : undefined;
    if (each && !line.startsWith(' ')) each.shutdown = false;
  }
}

function progress(match: Match<ConfigAction>): number {
  return match.kind === 'invalid' ? match.column : Infinity;
}
