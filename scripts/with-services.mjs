/**
 * npm run services -- <command> [arguments]: runs the command with a private Redis and Postgres, named by
 * REDIS_URL and DATABASE_URL, takes both down and ends with the command's exit code.
 */
import { constants } from 'node:os';
import { startGuardedCommand } from './lib/guarded-command.mjs';
import { describeFailure, LaunchError } from './lib/launch-error.mjs';
import { startServices } from './lib/services.mjs';
import { onStopSignals } from './lib/stop-signals.mjs';
import { say } from './lib/terminal.mjs';

const [command, ...args] = process.argv.slice(process.argv[2] === '--' ? 3 : 2);
let running;
let stopCode;

onStopSignals((signal, count) => {
  stopCode = 128 + constants.signals[signal];
  if (running) running.interrupt(signal);
  if (count > 2) process.exit(stopCode);
});

async function main() {
  if (command === undefined) throw new LaunchError('usage: npm run services -- <command> [arguments]');
  let failed = false;
  const services = await startServices({
    onGiveUp: (message) => {
      say(`! ${message}`);
      failed = true;
      running?.interrupt('SIGTERM');
    },
  });
  try {
    if (stopCode !== undefined) return stopCode;
    running = startGuardedCommand({ command, args, env: { ...process.env, ...services.env } });
    const code = await running.exited;
    return failed && code === 0 ? 1 : code;
  } finally {
    await services.stop(false);
  }
}

main().then(
  (code) => process.exit(code),
  (error) => {
    say(describeFailure(error));
    process.exit(1);
  },
);
