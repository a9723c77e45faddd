import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from './files.mjs';
import { runCommand } from './run-command.mjs';
import { runGuarded } from './run-guarded.mjs';
import { withProgress } from './terminal.mjs';

const INSTALL_TIMEOUT_MS = 240_000;

async function pythonVersion() {
  const { code, stdout } = await runCommand('python3', [
    '-c',
    'import sys; print("%d.%d" % sys.version_info[:2])',
  ]);
  if (code !== 0) throw new Error('python3 is not on the PATH');
  return stdout.trim();
}

async function must(step, cwd, command, args) {
  const { code, output } = await runGuarded({
    name: step,
    command,
    args,
    cwd,
    env: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
    timeoutMs: INSTALL_TIMEOUT_MS,
  });
  if (code !== 0) throw new Error(`${step} failed: ${output.split('\n').slice(-5).join(' | ')}`);
}

/** A virtual environment knows its own folder, so it is made in place; the mark of a finished one comes last. */
async function install(folder, requirement, mark) {
  await rm(folder, { recursive: true, force: true });
  await must('python3 -m venv', '.', 'python3', ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', requirement];
  await must(`pip install ${requirement}`, folder, join(folder, 'bin', 'python'), pip);
  await writeFile(mark, '');
}

/**
 * A program of a Python package from PyPI, in a virtual environment of its own in the cache: the command, its
 * environment and the folder of the installed packages. Not for several callers at once.
 */
export async function pythonProgram(cache, { package: name, version, program }) {
  const python = await pythonVersion();
  const folder = join(cache, `${name}-${version}-python${python}-${process.arch}`);
  const mark = join(folder, 'finished');
  if (!(await exists(mark))) {
    await withProgress(`Fetching ${name} ${version} (only once)`, () =>
      install(folder, `${name}==${version}`, mark),
    );
  }
  return {
    command: join(folder, 'bin', program),
    env: {},
    packages: join(folder, 'lib', `python${python}`, 'site-packages'),
  };
}
