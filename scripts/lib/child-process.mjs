import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LaunchError } from './launch-error.mjs';

const GUARD = fileURLToPath(new URL('./guard.mjs', import.meta.url));
const KEPT_LINES = 20;
/** A guard ends its command by force after the grace time; only a guard that hangs itself needs more. */
const GUARD_EXTRA_MS = 3_000;
const OUTPUT_DRAIN_MS = 1_000;

/** Kills what is left of the process group that `pid` leads. None left is the usual case. */
export function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: the group is empty.
  }
}

export const exitText = ({ code, signal, error }) =>
  error ? `error ${error.message}` : signal ? `signal ${signal}` : `code ${code}`;

/** Resolves with `{ code, signal }` once the process has ended, its output is read and its group is empty. */
function whenExited(child) {
  child.once('exit', () => {
    killGroup(child.pid);
    // A process that left the group may still hold the output open; the end of ours does not wait for it.
    setTimeout(
      () => [child.stdout, child.stderr].forEach((stream) => stream.destroy()),
      OUTPUT_DRAIN_MS,
    ).unref();
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/** Calls `onLine` for each line of both outputs; returns the list that always holds the last few. */
function followLines(child, onLine) {
  const lastLines = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > KEPT_LINES) lastLines.shift();
      onLine(line);
    });
  }
  return lastLines;
}

/**
 * Resolves with the first line for which `isReady` is true, or when the promise of `probe(signal)` resolves.
 * Rejects with the process's last lines when it ends first, or is not ready in time and is therefore killed.
 */
function whenReady(child, exited, { name, isReady, probe, readyTimeoutMs, onLine }) {
  const watching = new AbortController();
  let lastLines = [];
  const fail = (why) => {
    throw new LaunchError([`${name} ${why}`, ...lastLines.map((line) => `  ${line}`)].join('\n'));
  };
  const outcomes = [
    new Promise((resolve) => {
      lastLines = followLines(child, (line) => {
        onLine?.(line);
        if (isReady?.(line)) resolve(line);
      });
    }),
    exited.then((exit) => fail(`ended with ${exitText(exit)} before it was ready`)),
    delay(readyTimeoutMs, undefined, { signal: watching.signal }).then(() => {
      killGroup(child.pid);
      fail(`was not ready within ${readyTimeoutMs / 1000} s`);
    }),
  ];
  if (probe) outcomes.push(probe(watching.signal));
  return Promise.race(outcomes).finally(() => watching.abort());
}

/**
 * Follows a spawned group leader. The returned handle has `ready` and `exited`, and `stop(force)`, which
 * resolves once the process has ended, by force after `graceMs`.
 */
function follow(child, { graceMs, requestStop, ...readiness }) {
  const exited = whenExited(child);
  const ready = whenReady(child, exited, readiness);
  // Whoever only waits for `exited` must not be brought down by the other promise.
  ready.catch(() => undefined);
  const stop = async (force = false) => {
    if (!force) requestStop();
    const timer = setTimeout(() => killGroup(child.pid), force ? 0 : graceMs);
    await exited;
    clearTimeout(timer);
  };
  return { pid: child.pid, ready, exited, stop };
}

/**
 * Starts a command that knows nothing of the launcher (Redis, Postgres) under a guard, which ends it with
 * `stopSignal` when it is asked to or when the launcher is gone, and then removes the folders `remove`.
 */
export function startGuarded({
  command,
  args,
  cwd,
  uid,
  gid,
  env,
  stopSignal,
  graceMs,
  remove = [],
  ...rest
}) {
  const spec = JSON.stringify({ command, args, cwd, uid, gid, stopSignal, graceMs, remove, killGroup: true });
  const child = spawn(process.execPath, [GUARD, spec], {
    detached: true,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const lifeline = child.stdio[3];
  lifeline.on('error', () => undefined);
  return follow(child, { ...rest, graceMs: graceMs + GUARD_EXTRA_MS, requestStop: () => lifeline.destroy() });
}

/** Starts one of our own Node processes: it watches its stdin, so its end of the pipe needs no guard. */
export function startApp({ entry, cwd, env, graceMs, ...rest }) {
  const child = spawn(process.execPath, [entry], {
    cwd,
    detached: true,
    env: { ...env, COPILOT_PARENT_PIPE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  return follow(child, { ...rest, graceMs, requestStop: () => child.kill('SIGTERM') });
}
