import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from './files.mjs';
import { runCommand } from './run-command.mjs';
import { runGuarded } from './run-guarded.mjs';
import { withProgress } from './terminal.mjs';

const DEPENDENCY_LEVELS = 4;
const APT_TIMEOUT_MS = 180_000;
/** The C library and its loader must be the system's own. */
const SYSTEM_PACKAGES = new Set(['libc6', 'libc6-i386', 'libgcc-s1']);

/** An apt that shares nothing with the system's but its list of sources, so it needs no root and no lock. */
async function privateApt(folder) {
  await mkdir(join(folder, 'lists', 'partial'), { recursive: true });
  await mkdir(join(folder, 'archives', 'partial'), { recursive: true });
  await writeFile(join(folder, 'status'), '');
  const options = [
    `Dir::State=${folder}`,
    `Dir::State::lists=${join(folder, 'lists')}`,
    `Dir::State::status=${join(folder, 'status')}`,
    `Dir::Cache=${folder}`,
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=30',
  ].flatMap((option) => ['-o', option]);
  return (tool, ...args) =>
    runGuarded({
      name: tool,
      command: tool,
      args: [...options, ...args],
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C' },
      timeoutMs: APT_TIMEOUT_MS,
      remove: [folder],
    });
}

function must(step, { code, output }) {
  if (code !== 0) throw new Error(`${step} failed: ${output.split('\n').slice(-3).join(' | ')}`);
  return output;
}

/** Downloads packages and unpacks them over `root`. */
async function unpack(apt, folder, root, packages) {
  must(`apt-get download ${packages.join(' ')}`, await apt('apt-get', 'download', ...packages));
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.deb')) continue;
    const unpacking = await runCommand('dpkg-deb', ['-x', join(folder, file), root]);
    must(`dpkg-deb -x ${file}`, { code: unpacking.code, output: unpacking.stderr.trim() });
    await rm(join(folder, file));
  }
}

async function libraryDependencies(apt, packages) {
  const text = must('apt-cache depends', await apt('apt-cache', 'depends', '--important', ...packages));
  return [...text.matchAll(/^ *\|?(?:Pre)?Depends: (lib[a-z0-9.+-]+)$/gm)]
    .map((match) => match[1])
    .filter((name) => !SYSTEM_PACKAGES.has(name));
}

/** Folders under an unpacked root that hold shared libraries, for LD_LIBRARY_PATH. */
async function libraryFolders(root) {
  const folders = new Set();
  for (const base of ['usr/lib', 'lib']) {
    const entries = await readdir(join(root, base), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (/\.so(\.|$)/.test(entry.name)) folders.add(entry.parentPath);
  }
  return [...folders];
}

async function environmentFor(root) {
  return { LD_LIBRARY_PATH: (await libraryFolders(root)).join(':') };
}

async function missingLibraries(root, program) {
  const env = { ...process.env, ...(await environmentFor(root)), LC_ALL: 'C' };
  const { stdout } = await runCommand('ldd', [join(root, program)], { env });
  return /not found/.test(stdout);
}

/** Unpacks the packages over `root`, and the libraries that the system lacks, following dependencies level by level. */
async function fetchInto(folder, root, { program, packages }) {
  const apt = await privateApt(folder);
  // Another source on the list may be out of reach: only the download itself decides.
  const update = await apt('apt-get', 'update');
  try {
    await unpack(apt, folder, root, packages);
  } catch (error) {
    throw new Error(
      update.code === 0 ? error.message : `apt-get update failed: ${update.output}; ${error.message}`,
    );
  }
  const seen = new Set(packages);
  let level = packages;
  for (let depth = 0; depth < DEPENDENCY_LEVELS && (await missingLibraries(root, program)); depth += 1) {
    level = [...new Set(await libraryDependencies(apt, level))].filter((name) => !seen.has(name));
    if (level.length === 0) break;
    level.forEach((name) => seen.add(name));
    await unpack(apt, folder, root, level);
  }
  if (await missingLibraries(root, program)) {
    throw new Error(`${program} lacks libraries that its packages do not name`);
  }
}

/** Several launchers may do this at once: each unpacks into a folder of its own, the first to rename it wins. */
async function fetchOnce(cache, finished, wanted) {
  const work = await mkdtemp(join(cache, 'fetching-'));
  try {
    const root = join(work, 'root');
    await mkdir(root);
    await fetchInto(work, root, wanted);
    await rename(root, finished).catch((error) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** True where programs can be had from the distribution's own packages. */
export const hasApt = async () =>
  process.platform === 'linux' && (await runCommand('apt-get', ['--version'])).code === 0;

/**
 * A program from Debian's (or Ubuntu's) own packages, unpacked into the cache without root and without touching
 * the system: the command and the environment it needs. `program` is its path in the packages without a leading
 * slash.
 */
export async function debianProgram(cache, { name, program, packages }) {
  const release = await readFile('/etc/os-release', 'utf8');
  const codename = /^VERSION_CODENAME=(\S+)$/m.exec(release)?.[1] ?? 'unknown';
  const finished = join(cache, `${name}-${codename}-${process.arch}`);
  const command = join(finished, program);
  if (!(await exists(command))) {
    await withProgress(`Fetching ${name} (only once)`, () =>
      fetchOnce(cache, finished, { program, packages }),
    );
  }
  return { command, env: await environmentFor(finished) };
}
