/**
 * Runs one command and ends it when the process that started the guard is gone, however it went: file
 * descriptor 3 is a pipe whose other end only that process holds, and even SIGKILL closes it.
 * Redis and Postgres know nothing of such a pipe, hence this process in between.
 */
import { spawn } from 'node:child_process';
import { rmSync, rmdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { dirname } from 'node:path';

const LIFELINE_FD = 3;
const spec = JSON.parse(process.argv[2]);

const child = spawn(spec.command, spec.args, {
  cwd: spec.cwd,
  uid: spec.uid,
  gid: spec.gid,
  stdio: 'inherit',
});
let stopping = false;
let orphaned = false;

function stop(signal) {
  child.kill(signal);
  if (stopping) return;
  stopping = true;
  setTimeout(() => child.kill('SIGKILL'), spec.graceMs).unref();
}

/** Only on an ordered end: a service that died by itself is started again on the same folder. */
function removeFolders() {
  for (const folder of spec.remove) {
    rmSync(folder, { recursive: true, force: true });
    try {
      rmdirSync(dirname(folder));
    } catch {
      // The parent still holds another service's folder; the last guard to end removes it.
    }
  }
}

function finish(code) {
  if (stopping) removeFolders();
  // The command's own children share the guard's group; none of them may outlive it. A launcher that is alive
  // sees to that itself and wants the exit code; without one the guard may die of this too.
  if (orphaned && spec.killGroup) process.kill(-process.pid, 'SIGKILL');
  process.exit(code);
}

child.once('error', (error) => {
  process.stderr.write(`${spec.command}: ${error.message}\n`);
  finish(127);
});
child.once('exit', (code, signal) => finish(code ?? 128 + constants.signals[signal]));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => stop(spec.stopSignal ?? signal));
}
const lifeline = new Socket({ fd: LIFELINE_FD });
lifeline.on('error', () => undefined);
lifeline.once('close', () => {
  orphaned = true;
  stop(spec.stopSignal ?? 'SIGTERM');
});
lifeline.resume();
