import { constants } from 'node:os';
import { checkout } from './checkout.mjs';
import { startGuardedCommand } from './guarded-command.mjs';
import { describeFailure } from './launch-error.mjs';
import { endRunningCommands } from './run-guarded.mjs';
import { onStopSignals } from './stop-signals.mjs';
import { say, seconds } from './terminal.mjs';

let running;
let stopCode;

/**
 * Runs a command in the checkout with its output on ours; resolves with its exit code. It is ended, and counts
 * as failed, when it takes longer than `timeoutMs`.
 */
export async function runInStep({ command, args, env = {}, timeoutMs }) {
  running = startGuardedCommand({
    command,
    args,
    cwd: checkout,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const timer = setTimeout(() => {
    say(`! longer than ${timeoutMs / 1000} s: ended`);
    running.interrupt('SIGTERM');
  }, timeoutMs);
  const code = await running.exited;
  clearTimeout(timer);
  running = undefined;
  return code;
}

/** One thing that is right or wrong as a whole. */
export const asCounts = (passed) => (passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

async function runStep(step) {
  const startedAt = Date.now();
  say(`\n=== ${step.name}`);
  let counts;
  try {
    counts = await step.run();
  } catch (error) {
    say(describeFailure(error));
    counts = asCounts(false);
  }
  // A step that ran nothing has shown nothing.
  if (counts.passed + counts.failed === 0) counts = asCounts(false);
  const result = { name: step.name, ...counts, elapsedMs: Date.now() - startedAt };
  say(`--- ${resultLine(result)}`);
  return result;
}

const resultLine = ({ name, passed, failed, elapsedMs }) =>
  `${failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${passed} passed, ${failed} failed (${seconds(elapsedMs)})`;

/** The last line is read by machines: exactly `N passed, N failed`. */
function summarize(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  say(['', 'Summary', ...results.map((result) => `  ${resultLine(result)}`)].join('\n'));
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
  return sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
}

/**
 * Runs steps (`name`, `run` that resolves with counts) one after the other, also after a failed one unless that
 * is `essential`; `cleanUp` runs in any case. Resolves with the exit code.
 */
export async function runSteps(steps, cleanUp) {
  onStopSignals((signal, count) => {
    stopCode = 128 + constants.signals[signal];
    if (count > 2) process.exit(stopCode);
    running?.interrupt(signal);
    void endRunningCommands();
  });
  const results = [];
  try {
    for (const step of steps) {
      const result = await runStep(step);
      results.push(result);
      if (stopCode !== undefined || (step.essential && result.failed > 0)) break;
    }
  } finally {
    await cleanUp();
  }
  const code = summarize(results);
  return stopCode ?? code;
}
