import type { ExecContext } from './exec-context';
import { configurationLines } from './running-config';

/** Boots again from the saved configuration, after the device's own questions. */
export async function reload(context: ExecContext): Promise<string[] | undefined> {
  const { router, terminal } = context;
  if (isModified(context)) {
    const save = await terminal.readLine('\nSystem configuration has been modified. Save? [yes/no]: ');
    if (save.end !== 'enter') return undefined;
    const answer = save.text.trim().toLowerCase();
    if (answer !== '' && 'yes'.startsWith(answer)) {
      terminal.print('Building configuration...\n[OK]\n');
      router.save();
    } else if (answer === '' || !'no'.startsWith(answer)) {
      return ["% Please answer 'yes' or 'no'."];
    }
  }
  terminal.print('Proceed with reload? [confirm]');
  const key = await terminal.readKey();
  terminal.print('\n');
  if (key !== '\r' && key !== '\n' && key.toLowerCase() !== 'y') return undefined;
  terminal.print('\n%SYS-5-RELOAD: Reload requested by console. Reload Reason: Reload Command.\n');
  router.load();
  terminal.print('\nLoading "flash0:/vios-adventerprisek9-m"...OK\n\nCisco IOS Software is starting\n\n');
  context.logout();
  return undefined;
}

function isModified({ router }: ExecContext): boolean {
  return router.startup.join('\n') !== configurationLines(router.state).join('\n');
}
