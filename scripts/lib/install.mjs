import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkout, inCheckout } from './checkout.mjs';
import { LaunchError } from './launch-error.mjs';
import { runGuarded } from './run-guarded.mjs';
import { withSetupLock } from './setup-lock.mjs';
import { withProgress } from './terminal.mjs';

const INSTALL_TIMEOUT_MS = 15 * 60_000;
const MAX_REASON_LINES = 20;
const OLDEST_NODE = [20, 19];

export function assertNodeVersion(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new LaunchError(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${version}`);
}

/**
 * Whether what npm says it installed is what the lockfile asks for: every package that is not optional must
 * be there in its version. npm writes its list as the last step of an install, so one that was killed has none.
 */
export function isInstalled(lockfile, installed) {
  return Object.entries(lockfile.packages).every(
    ([path, wanted]) =>
      path === '' || wanted.optional || installed.packages?.[path]?.version === wanted.version,
  );
}

async function readJson(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return {};
  }
}

async function upToDate() {
  const lockfile = JSON.parse(await readFile(inCheckout('package-lock.json'), 'utf8'));
  return isInstalled(lockfile, await readJson(inCheckout('node_modules', '.package-lock.json')));
}

/** npm as a script for this very Node, where we were started by npm; else the one beside Node, or the PATH's. */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script?.endsWith('npm-cli.js')) return [process.execPath, script];
  return ['npm'];
}

/** npm tells the reason first; after a wrong lockfile come two pages of usage. */
const reasonLines = (output) => output.split('\n').slice(0, MAX_REASON_LINES).join('\n');

async function install() {
  const [command, ...first] = npmCommand();
  // Even under NODE_ENV=production: the build and the tests need the development packages.
  const args = [
    ...first,
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const { code, output } = await runGuarded({
    name: 'npm ci',
    command,
    args,
    cwd: checkout,
    env,
    timeoutMs: INSTALL_TIMEOUT_MS,
  });
  if (code !== 0) throw new LaunchError(`npm ci failed:\n${reasonLines(output)}`);
}

/** Installs node_modules when they are missing or not those of the lockfile. */
export async function ensureInstalled() {
  assertNodeVersion();
  if (await upToDate()) return;
  await withSetupLock(async () => {
    if (await upToDate()) return;
    await withProgress('Installing packages (npm ci)', install);
    if (!(await upToDate()))
      throw new LaunchError(`npm ci ended well, but ${join(checkout, 'node_modules')} is incomplete`);
  });
}
