import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { killGroup } from './child-process.mjs';

const GUARD = fileURLToPath(new URL('./guard.mjs', import.meta.url));
const GRACE_MS = 10_000;

/**
 * Runs a command in the foreground, with our own stdin, stdout and stderr unless `stdio` says otherwise, and
 * ends it with everything it started when the launcher is gone. At a terminal it stays in the terminal's
 * foreground group, where Ctrl-C reaches it without our help; `interrupt(signal)` passes on what does not.
 */
export function startGuardedCommand({
  command,
  args,
  cwd,
  env,
  uid,
  gid,
  stdio = ['inherit', 'inherit', 'inherit'],
}) {
  const atTerminal = Boolean(process.stdin.isTTY) && stdio[0] === 'inherit';
  const spec = JSON.stringify({
    command,
    args,
    cwd,
    uid,
    gid,
    graceMs: GRACE_MS,
    remove: [],
    killGroup: !atTerminal,
  });
  const child = spawn(process.execPath, [GUARD, spec], {
    env,
    detached: !atTerminal,
    stdio: [...stdio, 'pipe'],
  });
  child.stdio[3].on('error', () => undefined);
  const exited = new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  }).then((code) => {
    if (!atTerminal && child.pid !== undefined) killGroup(child.pid);
    return code;
  });
  const interrupt = (signal) => {
    if (!(atTerminal && signal === 'SIGINT')) child.kill(signal);
  };
  return { exited, interrupt };
}
