import { inCheckout } from './checkout.mjs';
import { withReport } from './jest-step.mjs';
import { asCounts, runInStep } from './steps.mjs';

/** The service is disturbed for two minutes; the start, the quiet tail and the judging come on top. */
const MINUTES = '2';
/** One in which each kind of disturbance happens. */
const SEED = '7';
const TIMEOUT_MS = 5 * 60_000;

/** Each rule of the oracle counts as one test. A runner that wrote no report has failed as a whole. */
export function chaosCounts(code, report) {
  if (report === '') return asCounts(false);
  const { passed, failed } = JSON.parse(report);
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** Kills, stops, cuts and restarts everything for two minutes and judges what is left; test/chaos/README.md. */
export async function runChaos() {
  const { code, report } = await withReport((file) => {
    const script = inCheckout('test', 'chaos', 'run.ts');
    const args = ['--import', 'tsx', script, '--minutes', MINUTES, '--seed', SEED, '--report', file];
    return runInStep({ command: process.execPath, args, timeoutMs: TIMEOUT_MS });
  });
  return chaosCounts(code, report);
}
