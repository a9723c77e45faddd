/** npm test: every check and every test, and `N passed, N failed` as the last line; --help tells more. */
import { parseArgs } from 'node:util';
import { describeFailure, LaunchError } from './lib/launch-error.mjs';
import { runSteps } from './lib/steps.mjs';
import { say } from './lib/terminal.mjs';
import { selectSteps, testSteps } from './lib/test-steps.mjs';

function parse(args) {
  const split = args.indexOf('--');
  const own = split === -1 ? args : args.slice(0, split);
  try {
    const { values } = parseArgs({
      args: own,
      options: { only: { type: 'string' }, help: { type: 'boolean' } },
    });
    return { ...values, jestArgs: split === -1 ? [] : args.slice(split + 1) };
  } catch (error) {
    throw new LaunchError(`${error.message}\nnpm test -- --help lists the options.`);
  }
}

function checkNames(only, steps) {
  const names = steps.map((step) => step.name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new LaunchError(`No step ${unknown.join(', ')}; there are: ${names.join(', ')}`);
}

async function main() {
  const { only, help, jestArgs } = parse(process.argv.slice(2));
  const { steps, stopServices } = testSteps(jestArgs);
  if (help) {
    const names = steps.map((step) => step.name).join(',');
    process.stdout.write(`npm test -- [--only ${names}] [-- arguments for jest]\n`);
    return 0;
  }
  const names = only?.split(',');
  if (names) checkNames(names, steps);
  return runSteps(selectSteps(steps, names), stopServices);
}

try {
  process.exitCode = await main();
} catch (error) {
  say(describeFailure(error));
  process.exitCode = 1;
}
process.exit();
