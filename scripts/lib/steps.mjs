import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from './checkout.mjs';
import { startGuardedCommand } from './guarded-command.mjs';
import { describeFailure } from './launch-error.mjs';
import { endRunningCommands } from './run-guarded.mjs';
import { onStopSignals } from './stop-signals.mjs';
import { say, seconds } from './terminal.mjs';

const running = new Set();
let stopCode;

/**
 * Runs a command in the checkout with its output on ours, or in the file that `output` is open on; resolves with
 * its exit code. It is ended, and counts as failed, when it takes longer than `timeoutMs`.
 */
export async function runInStep({ command, args, env = {}, timeoutMs, output = 'inherit' }) {
  const child = startGuardedCommand({
    command,
    args,
    cwd: checkout,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  });
  running.add(child);
  const timer = setTimeout(() => {
    say(`! ${command} takes longer than ${timeoutMs / 1000} s: ended`);
    child.interrupt('SIGTERM');
  }, timeoutMs);
  const code = await child.exited;
  clearTimeout(timer);
  running.delete(child);
  return code;
}

/** One thing that is right or wrong as a whole. */
export const asCounts = (passed) => (passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

async function runStep(step, output) {
  const startedAt = Date.now();
  if (output === undefined) say(`\n=== ${step.name}`);
  let counts;
  try {
    counts = await step.run(output);
  } catch (error) {
    say(describeFailure(error));
    counts = asCounts(false);
  }
  // A step that ran nothing has shown nothing.
  if (counts.passed + counts.failed === 0) counts = asCounts(false);
  const result = { name: step.name, ...counts, elapsedMs: Date.now() - startedAt };
  if (output === undefined) say(`--- ${resultLine(result)}`);
  return result;
}

/** Steps that have nothing to do with each other, at once; what each of them says comes when it has ended. */
async function runTogether(steps) {
  const folder = await mkdtemp(join(tmpdir(), 'gns3-copilot-steps-'));
  say(`\n=== ${steps.map(({ name }) => name).join(', ')} (side by side)`);
  try {
    return await Promise.all(
      steps.map(async (step, index) => {
        const path = join(folder, `${index}`);
        const file = await open(path, 'w');
        const result = await runStep(step, file.fd).finally(() => file.close());
        process.stdout.write(await readFile(path));
        say(`--- ${resultLine(result)}`);
        return result;
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Neighbours that may run side by side, and every other step for itself. */
function inBatches(steps) {
  const batches = [];
  for (const step of steps) {
    const last = batches.at(-1);
    if (step.together && last?.[0].together) last.push(step);
    else batches.push([step]);
  }
  return batches;
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
 * Runs steps (`name`, `run` that resolves with counts) one after the other, neighbours that say `together` at
 * once, also after a failed one unless that is `essential`; `cleanUp` runs in any case. Resolves with the exit code.
 */
export async function runSteps(steps, cleanUp) {
  onStopSignals((signal, count) => {
    stopCode = 128 + constants.signals[signal];
    if (count > 2) process.exit(stopCode);
    for (const child of running) child.interrupt(signal);
    void endRunningCommands();
  });
  const results = [];
  try {
    for (const batch of inBatches(steps)) {
      const ended = batch.length > 1 ? await runTogether(batch) : [await runStep(batch[0])];
      results.push(...ended);
      const cannotGoOn = batch.some((step, index) => step.essential && ended[index].failed > 0);
      if (stopCode !== undefined || cannotGoOn) break;
    }
  } finally {
    await cleanUp();
  }
  const code = summarize(results);
  return stopCode ?? code;
}
