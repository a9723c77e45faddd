/**
 * The newcomer's path as a check: clones HEAD into an empty folder, runs `npm start` there, tries the curl line
 * that it prints, stops it, and looks for anything left. Options: --user NAME (as root: as that user),
 * --warm-cache (the caller's npm cache), --once (all of it once, not twice), --with-tests (`npm test` as well).
 */
import { parseArgs } from 'node:util';
import { freshClone } from './lib/fresh-clone.mjs';
import { assertNothingLeft, stopTrying, tryStart } from './lib/fresh-start.mjs';
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

/** Throws when `npm test` is not green or leaves a process; resolves with its ms. */
async function runTests({ root, folder, env, account }) {
  const startedAt = Date.now();
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
  await assertNothingLeft(root);
  return Date.now() - startedAt;
}

async function main() {
  const { values } = parseArgs({ options });
  onStopSignals(() => void stopTrying());
  const clone = await freshClone({ user: values.user, warmCache: values['warm-cache'] });
  try {
    const who = values.user ?? 'the current user';
    const times = values.once ? ['on a fresh clone'] : ['on a fresh clone', 'the second time'];
    for (const time of times) say(`ready after ${seconds(await tryStart(clone))} ${time}, as ${who}`);
    if (!values['with-tests']) return;
    for (const time of times) say(`npm test green after ${seconds(await runTests(clone))} ${time}`);
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
