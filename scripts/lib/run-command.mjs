import { spawn } from 'node:child_process';

const KEPT_OUTPUT_CHARS = 64 * 1024;

/**
 * Runs a command to its end and collects what it printed (the last 64 K characters of each stream).
 * Never throws for an exit code: `code` is null when the command could not be started, was killed, or ran
 * into `timeoutMs`, and `stderr` says which.
 */
export function runCommand(command, args, { timeoutMs = 60_000, ...spawnOptions } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...spawnOptions });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name]?.setEncoding('utf8').on('data', (text) => {
        output[name] = (output[name] + text).slice(-KEPT_OUTPUT_CHARS);
      });
    }
    const timer = setTimeout(() => {
      output.stderr += `\n${command} took longer than ${timeoutMs / 1000} s`;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve({ code: null, stdout: '', stderr: error.message });
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...output });
    });
  });
}
