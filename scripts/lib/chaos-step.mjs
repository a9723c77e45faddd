import { inCheckout } from './checkout.mjs';
import { withReport } from './jest-step.mjs';
import { asCounts, runInStep } from './steps.mjs';

/** With the start, the quiet tail and the judging it is two minutes, or three on a machine that is busy otherwise. */
const MINUTES = '1.5';
/** One in which every part is disturbed. */
const SEED = '10';
const TIMEOUT_MS = 6 * 60_000;

/** Each rule of the oracle counts as one test. A runner that wrote no report has failed as a whole. */
export function chaosCounts(code, report) {
  if (report === '') return asCounts(false);
  const { passed, failed } = JSON.parse(report);
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** Kills, stops, cuts and restarts everything and judges what is left; test/chaos/README.md. */
export async function runChaos(output) {
  const { code, report } = await withReport((file) => {
    const script = inCheckout('test', 'chaos', 'run.ts');
    const args = ['--import', 'tsx', script, '--minutes', MINUTES, '--seed', SEED, '--report', file];
    return runInStep({ command: process.execPath, args, timeoutMs: TIMEOUT_MS, output });
  });
  return chaosCounts(code, report);
}
