/**
 * The newcomer's path as a check: clones HEAD into an empty folder, runs `npm start` there, tries the curl line
 * that it prints, stops it, and looks for anything left. Options: --user NAME (as root: as that user),
 * --warm-cache (the caller's npm cache), --once (no second, warm start), --with-tests (`npm test` as well).
 */
import { parseArgs } from 'node:util';
import { freshClone } from './lib/fresh-clone.mjs';
import { stopTrying, tryStart } from './lib/fresh-start.mjs';
import { startGuardedCommand } from './lib/guarded-command.mjs';
import { describeFailure, LaunchError } from './lib/launch-error.mjs';
import { onStopSignals } from './lib/stop-signals.mjs';
import { say, seconds } from './lib/terminal.mjs';

const options = {
  user: { type: 'string' },
  'warm-cache': { type: 'boolean', default: false },
  once: { type: 'boolean', default: false },
  'with-tests': { type: 'boolean', default: false },
};

async function runTests({ folder, env, account }) {
  const tests = startGuardedCommand({
    command: 'npm',
    args: ['test'],
    cwd: folder,
    env,
    ...account,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  onStopSignals((signal) => tests.interrupt(signal));
  if ((await tests.exited) !== 0) throw new LaunchError('npm test failed');
}

async function main() {
  const { values } = parseArgs({ options });
  onStopSignals(() => void stopTrying());
  const clone = await freshClone({ user: values.user, warmCache: values['warm-cache'] });
  try {
    const who = values.user ?? 'the current user';
    const cold = await tryStart(clone);
    say(`ready after ${seconds(cold)} on a fresh clone, as ${who}`);
    if (!values.once) say(`ready after ${seconds(await tryStart(clone))} the second time, as ${who}`);
    if (values['with-tests']) await runTests(clone);
  } finally {
    await clone.remove();
  }
}

try {
  await main();
} catch (error) {
  say(describeFailure(error));
  process.exitCode = 1;
}
