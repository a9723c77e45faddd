/** npm run test:peers: the slower checks beside real peers; the last line is `N passed, N failed`. */
import { ensureInstalled } from './lib/install.mjs';
import { peerSteps } from './lib/peer-steps.mjs';
import { asCounts, runInStep, runSteps } from './lib/steps.mjs';

const install = {
  name: 'install',
  essential: true,
  run: async () => {
    await ensureInstalled();
    return asCounts(true);
  },
};

const steps = peerSteps.map(({ name, command: [command, ...args], timeoutMs }) => ({
  name,
  run: async () => asCounts((await runInStep({ command, args, timeoutMs })) === 0),
}));

process.exit(await runSteps([install, ...steps], async () => undefined));
