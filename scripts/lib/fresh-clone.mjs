import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from './checkout.mjs';
import { exists } from './files.mjs';
import { LaunchError } from './launch-error.mjs';
import { runCommand } from './run-command.mjs';

const KEPT_VARIABLES = /^(PATH|LANG|LC_.*|CI|NODE_EXTRA_CA_CERTS|(https?|no)_proxy|npm_config_registry)$/i;

async function must(command, args) {
  const { code, stdout, stderr } = await runCommand(command, args, { timeoutMs: 120_000 });
  if (code !== 0) throw new LaunchError(`${command} ${args.join(' ')} failed: ${stderr.trim()}`);
  return stdout.trim();
}

async function accountOf(user) {
  if (user === undefined) return {};
  return { uid: Number(await must('id', ['-u', user])), gid: Number(await must('id', ['-g', user])) };
}

async function giveAway(folder, { uid, gid }) {
  if (uid === undefined) return;
  await chown(folder, uid, gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), uid, gid);
  }
}

/** The environment of somebody who has just logged in: none of what npm or a developer's shell adds. */
function newcomersEnvironment(root, npmCache) {
  const kept = Object.entries(process.env).filter(([name]) => KEPT_VARIABLES.test(name));
  const path = process.env.PATH.split(':').filter((folder) => !folder.includes('node_modules'));
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(':'),
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    npm_config_cache: npmCache,
  };
}

/**
 * The committed HEAD, cloned into an empty folder for a user with an empty home. The caller's ~/.npmrc comes
 * along, since it may name the registry. `warmCache` keeps the caller's npm cache; the default is an empty one.
 */
export async function freshClone({ user, warmCache }) {
  const account = await accountOf(user);
  const npmCache = warmCache ? await must('npm', ['config', 'get', 'cache']) : undefined;
  const root = await mkdtemp(join(tmpdir(), 'fresh-machine-'));
  await chmod(root, 0o755);
  for (const folder of ['home', 'tmp', 'npm-cache']) await mkdir(join(root, folder));
  await must('git', ['clone', '--quiet', checkout, join(root, 'checkout')]);
  const npmrc = join(homedir(), '.npmrc');
  if (await exists(npmrc)) {
    await copyFile(npmrc, join(root, 'home', '.npmrc'));
    await chmod(join(root, 'home', '.npmrc'), 0o600);
  }
  await giveAway(root, account);
  return {
    root,
    folder: join(root, 'checkout'),
    account,
    env: newcomersEnvironment(root, npmCache ?? join(root, 'npm-cache')),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
