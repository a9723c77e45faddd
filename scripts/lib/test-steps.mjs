import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { inCheckout } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { runJest, TestServices, withReport } from './jest-step.mjs';
import { asCounts, runInStep } from './steps.mjs';

const CHECK_TIMEOUT_MS = 10 * 60_000;
const TESTS_TIMEOUT_MS = 25 * 60_000;

const bin = (name) => inCheckout('node_modules', '.bin', name);

function check(name, command, ...args) {
  const run = async () => asCounts((await runInStep({ command, args, timeoutMs: CHECK_TIMEOUT_MS })) === 0);
  return { name, run };
}

/** Counts of Node's own test runner, from the totals at the end of its TAP report. */
export function tapCounts(code, report) {
  const total = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(report)?.[1] ?? 0);
  const failed = total('fail') + total('cancelled');
  return { passed: total('pass'), failed: failed === 0 && code !== 0 ? 1 : failed };
}

async function launcherTests() {
  const folder = inCheckout('scripts', 'test');
  const files = (await readdir(folder))
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => join(folder, name));
  const { code, report } = await withReport((file) => {
    const reporters = ['spec', 'stdout', 'tap', file].map((value, index) =>
      index % 2 === 0 ? `--test-reporter=${value}` : `--test-reporter-destination=${value}`,
    );
    const args = ['--test', '--test-concurrency=1', ...reporters, ...files];
    return runInStep({ command: process.execPath, args, timeoutMs: TESTS_TIMEOUT_MS });
  });
  return tapCounts(code, report);
}

/** Steps of `npm test` in their order; `jestArgs` go to each of the three jest runs. */
export function testSteps(jestArgs) {
  const services = new TestServices();
  const jest = (project, workers, needsServices) => ({
    name: project,
    needsBuild: project === 'e2e',
    run: async () => {
      const env = needsServices ? await services.env() : {};
      return runJest({ project, workers, env, jestArgs, timeoutMs: TESTS_TIMEOUT_MS });
    },
  });
  const built = async () => {
    await ensureBuilt();
    return asCounts(true);
  };
  const installed = async () => {
    await ensureInstalled();
    return asCounts(true);
  };
  const steps = [
    { name: 'install', essential: true, run: installed },
    check('format', bin('prettier'), '--check', '--log-level=warn', '.'),
    check('lint', bin('eslint'), '.'),
    check(
      'dependencies',
      bin('depcruise'),
      'apps',
      'libs',
      'test',
      'bench',
      '--config',
      '.dependency-cruiser.cjs',
    ),
    check('types', bin('tsc'), '--noEmit', '-p', '.'),
    { name: 'build', essential: true, run: built },
    { ...check('openapi', process.execPath, inCheckout('dist', 'openapi.js'), '--check'), needsBuild: true },
    { name: 'launcher', run: launcherTests },
    jest('unit', 2, false),
    jest('integration', 2, true),
    jest('e2e', 2, true),
  ];
  return { steps, stopServices: () => services.stop() };
}

/** The steps that `--only` names, with the ones they cannot do without. */
export function selectSteps(steps, only) {
  if (only === undefined) return steps;
  const wanted = steps.filter((step) => only.includes(step.name));
  const needsBuild = wanted.some((step) => step.needsBuild);
  return steps.filter(
    (step) => wanted.includes(step) || step.name === 'install' || (step.name === 'build' && needsBuild),
  );
}
