import { ensureBuilt } from './build.mjs';
import { runChaos } from './chaos-step.mjs';
import { ensureInstalled } from './install.mjs';
import { runJest, TestServices } from './jest-step.mjs';
import * as peers from './peers.mjs';
import { asCounts, runInStep } from './steps.mjs';

const TESTS_TIMEOUT_MS = 10 * 60_000;
const CLONE_TIMEOUT_MS = 7 * 60_000;

const afterwards = (work) => async () => {
  await work();
  return asCounts(true);
};

/** All at once, since each waits for the network; the first that cannot be had fails the step. */
const fetchPeers = () =>
  Promise.all([peers.findNginx(), peers.findChromium(), peers.findSchemathesis(), peers.findGns3Server()]);

/**
 * What `npm run test:peers` runs: the service beside programs that are not ours, and the newcomer's path.
 * `jestArgs` go to jest.
 */
export function peerSteps(jestArgs) {
  const services = new TestServices();
  const steps = [
    { name: 'install', essential: true, run: afterwards(ensureInstalled) },
    { name: 'build', essential: true, run: afterwards(ensureBuilt) },
    { name: 'programs that are not ours', essential: true, run: afterwards(fetchPeers) },
    {
      name: 'beside them',
      run: async () =>
        runJest({
          project: 'peers',
          workers: 2,
          env: await services.env(),
          jestArgs: ['--verbose', ...jestArgs],
          timeoutMs: TESTS_TIMEOUT_MS,
        }),
    },
    { name: 'chaos', together: true, run: runChaos },
    {
      name: 'fresh clone',
      together: true,
      run: async (output) => {
        const args = ['scripts/fresh-machine.mjs', '--once', '--warm-cache'];
        const timeoutMs = CLONE_TIMEOUT_MS;
        const code = await runInStep({ command: process.execPath, args, timeoutMs, output });
        return asCounts(code === 0);
      },
    },
  ];
  return { steps, stopServices: () => services.stop() };
}
