import { setTimeout as delay } from 'node:timers/promises';
import { startGuarded } from './child-process.mjs';
import { LaunchError } from './launch-error.mjs';
import { processesNaming } from './processes.mjs';
import { runCommand } from './run-command.mjs';

const READY_TIMEOUT_MS = 8 * 60_000;
const GRACE_MS = 60_000;
const CURL_TIMEOUT_MS = 60_000;
const GONE_WITHIN_MS = 2_000;
const POLL_MS = 50;

async function tryCurlLine(line, { folder, env, account }) {
  const { code, stdout, stderr } = await runCommand('sh', ['-c', line], {
    cwd: folder,
    env,
    ...account,
    timeoutMs: CURL_TIMEOUT_MS,
  });
  for (const type of ['tool_end', 'done']) {
    if (!new RegExp(`"type": ?"${type}"`).test(stdout)) {
      throw new LaunchError(
        `The printed curl line (exit ${code}) gave no ${type}:\n${stdout.slice(-2_000)}${stderr}`,
      );
    }
  }
}

const current = new Set();

/** Ends an `npm start` that is being tried, for a caller that was told to stop: `tryStart` then throws. */
export const stopTrying = () => Promise.all([...current].map((npm) => npm.stop()));

/**
 * Throws when a process that has to do with `root` is alive, and with it whatever it listens on. Ports alone say
 * nothing: others open and close theirs on the same machine.
 */
export async function assertNothingLeft(root) {
  const giveUpAt = Date.now() + GONE_WITHIN_MS;
  while (processesNaming(root).length > 0 && Date.now() < giveUpAt) await delay(POLL_MS);
  const left = processesNaming(root);
  if (left.length > 0) throw new LaunchError(`Left running after the end:\n${left.join('\n')}`);
}

/**
 * Runs `npm start` in a fresh clone until its banner, the printed curl line in a shell, and a SIGTERM; throws
 * when any of it is not as promised. Resolves with the ms from the start to the banner.
 */
export async function tryStart(clone) {
  const startedAt = Date.now();
  const lines = [];
  const npm = startGuarded({
    name: 'npm start',
    command: 'npm',
    args: ['start'],
    cwd: clone.folder,
    env: clone.env,
    ...clone.account,
    stopSignal: 'SIGTERM',
    graceMs: GRACE_MS,
    readyTimeoutMs: READY_TIMEOUT_MS,
    isReady: (line) => line.startsWith('Ctrl-C stops everything'),
    onLine: (line) => {
      lines.push(line);
      process.stdout.write(`  | ${line}\n`);
    },
  });
  current.add(npm);
  let readyMs;
  try {
    await npm.ready;
    readyMs = Date.now() - startedAt;
    await tryCurlLine(
      lines.find((line) => line.startsWith('curl ')),
      clone,
    );
  } finally {
    await npm.stop();
    current.delete(npm);
  }
  await assertNothingLeft(clone.root);
  return readyMs;
}
