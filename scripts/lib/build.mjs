import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout, inCheckout } from './checkout.mjs';
import { exists } from './files.mjs';
import { LaunchError } from './launch-error.mjs';
import { runGuarded } from './run-guarded.mjs';
import { withSetupLock } from './setup-lock.mjs';
import { withProgress } from './terminal.mjs';

const BUILD_TIMEOUT_MS = 5 * 60_000;
const SOURCE_FOLDERS = ['apps', 'libs'];
const SOURCE_FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'nest-cli.json',
  'rspack.config.cjs',
];
const STAMP = inCheckout('dist', '.build-stamp');

/** What a build makes and the launcher runs. A dist without one of them is stale, whatever its stamp says. */
export const entries = {
  gateway: 'dist/apps/gateway/main.js',
  'agent-worker': 'dist/apps/agent-worker/main.js',
  'tool-worker': 'dist/apps/tool-worker/main.js',
  demo: 'dist/apps/demo/main.js',
  migrate: 'dist/migrate.js',
};

async function sourceFiles() {
  const nested = await Promise.all(
    SOURCE_FOLDERS.map(async (folder) => {
      const found = await readdir(inCheckout(folder), { recursive: true, withFileTypes: true });
      return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  return [...nested.flat(), ...SOURCE_FILES.map((file) => inCheckout(file))].sort();
}

/** Changes whenever a source file is added, removed, or written. */
async function sourceStamp() {
  const hash = createHash('sha256').update(process.version);
  for (const file of await sourceFiles()) {
    const { size, mtimeMs } = await stat(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

async function upToDate(stamp) {
  const results = await Promise.all(Object.values(entries).map((entry) => exists(inCheckout(entry))));
  return results.every(Boolean) && (await readFile(STAMP, 'utf8').catch(() => '')) === stamp;
}

async function build() {
  const nest = inCheckout('node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  const { code, output } = await runGuarded({
    name: 'nest build',
    command: process.execPath,
    args: [nest, 'build', '--all'],
    cwd: checkout,
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  if (code !== 0) throw new LaunchError(`The build failed:\n${output}`);
  for (const entry of Object.values(entries)) {
    if (!(await exists(inCheckout(entry)))) throw new LaunchError(`The build did not make ${entry}`);
  }
}

/** Builds every app when a source has changed since the last build. */
export async function ensureBuilt() {
  if (await upToDate(await sourceStamp())) return;
  await withSetupLock(async () => {
    const stamp = await sourceStamp();
    if (await upToDate(stamp)) return;
    await withProgress('Building', build);
    // Taken before the build: a file written meanwhile makes the next start build again.
    await writeFile(STAMP, stamp);
  });
}
