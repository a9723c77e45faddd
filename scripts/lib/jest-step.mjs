import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inCheckout } from './checkout.mjs';
import { startServices } from './services.mjs';
import { asCounts, runInStep } from './steps.mjs';
import { withProgress } from './terminal.mjs';

/** Runs `work` with the name of a file for a report, and gives what it holds; '' when it was not written. */
export async function withReport(work) {
  const folder = await mkdtemp(join(tmpdir(), 'gns3-copilot-report-'));
  const file = join(folder, 'report');
  try {
    const code = await work(file);
    return { code, report: await readFile(file, 'utf8').catch(() => '') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file that could not be run at all counts as one failure, and so does a bad exit that no test explains. */
export function jestCounts(code, report) {
  if (report === '') return asCounts(false);
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(report);
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** The services that the tests share; started by the first step that needs them. Never the caller's own. */
export class TestServices {
  #starting;

  async env() {
    this.#starting ??= withProgress('Starting Redis and Postgres', () =>
      startServices({ onGiveUp: (message) => process.stderr.write(`! ${message}\n`) }),
    );
    return (await this.#starting).env;
  }

  async stop() {
    const services = await this.#starting?.catch(() => undefined);
    await services?.stop();
  }
}

/** Runs one project of jest.config.mjs; `env` holds the services that it needs. Resolves with its counts. */
export async function runJest({ project, workers, env, jestArgs, timeoutMs }) {
  const { code, report } = await withReport((file) => {
    const script = inCheckout('node_modules', 'jest', 'bin', 'jest.js');
    const args = ['--experimental-vm-modules', '--no-warnings', script, '--selectProjects', project];
    args.push(`--maxWorkers=${workers}`, '--ci', '--json', `--outputFile=${file}`, ...jestArgs);
    return runInStep({ command: process.execPath, args, env, timeoutMs });
  });
  return jestCounts(code, report);
}
