import { numberArg } from './args';
import { CommandTree } from './command-tree';
import { hashSecret } from './config/global-commands';
import type { ExecAction, ExecContext, ExecTree } from './exec-context';
import { ping, traceroute } from './reachability';
import { reload } from './reload';
import { addPrivilegedShows, addShows } from './show';

export const userCommands: ExecTree = new CommandTree<ExecAction>();
export const privilegedCommands: ExecTree = new CommandTree<ExecAction>();

for (const tree of [userCommands, privilegedCommands]) {
  tree
    .add('enable', enable)
    .add('disable', (context) => {
      context.mode = { kind: 'user' };
      return undefined;
    })
    .add('exit', logout)
    .add('logout', logout)
    .add('ping <host:word>', ping)
    .add('ping <host:word> <options:line>', ping)
    .add('terminal length <lines:number:0-512>', (context, args) => {
      context.pageLength = numberArg(args, 'lines');
      return undefined;
    })
    .add('terminal width <columns:number:0-512>', () => undefined)
    .add('terminal no monitor', () => undefined)
    .add('terminal monitor', () => ['% Console already monitors'])
    .add('traceroute <host:word>', traceroute);
  addShows(tree);
}

addPrivilegedShows(privilegedCommands);
privilegedCommands
  .add('clear arp-cache', ({ router }) => {
    router.arpCache.clear();
    return undefined;
  })
  .add('configure terminal', (context) => {
    context.terminal.print('Enter configuration commands, one per line.  End with CNTL/Z.\n');
    context.mode = { kind: 'config', target: { kind: 'global' } };
    return undefined;
  })
  .add('copy running-config startup-config', copyToStartup)
  .add('erase startup-config', eraseStartup)
  .add('reload', reload)
  .add('write', saveNow)
  .add('write erase', eraseStartup)
  .add('write memory', saveNow);

async function enable(context: ExecContext): Promise<undefined> {
  const secret = context.router.state.enableSecret;
  if (context.mode.kind === 'exec') return undefined;
  for (let attempt = 0; secret !== undefined; attempt += 1) {
    if (attempt === 3) {
      context.terminal.print('% Bad secrets\n\n');
      return undefined;
    }
    const typed = await context.terminal.readLine('Password: ', { echo: false });
    if (typed.end !== 'enter') return undefined;
    if (hashSecret(typed.text) === secret) break;
  }
  context.mode = { kind: 'exec' };
  return undefined;
}

function logout(context: ExecContext): undefined {
  context.logout();
}

function saveNow({ router }: ExecContext): string[] {
  router.save();
  return ['Building configuration...', '[OK]'];
}

async function copyToStartup(context: ExecContext): Promise<string[] | undefined> {
  const typed = await context.terminal.readLine('Destination filename [startup-config]? ');
  if (typed.end !== 'enter') return undefined;
  const name = typed.text.trim();
  if (name !== '' && name !== 'startup-config')
    return [`%Error opening nvram:${name} (No space left on device)`];
  return saveNow(context);
}

async function eraseStartup({ router, terminal }: ExecContext): Promise<string[] | undefined> {
  terminal.print('Erasing the nvram filesystem will remove all configuration files! Continue? [confirm]');
  const key = await terminal.readKey();
  terminal.print('\n');
  if (key !== '\r' && key !== '\n' && key.toLowerCase() !== 'y') return undefined;
  router.eraseStartup();
  return ['[OK]', 'Erase of nvram: complete'];
}
