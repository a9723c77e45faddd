/**
 * npm run test:peers: the slower checks beside programs that are not ours, which it fetches from Debian's archive
 * and PyPI; the last line is `N passed, N failed`. Arguments go to jest.
 */
import { peerSteps } from './lib/peer-steps.mjs';
import { runSteps } from './lib/steps.mjs';

const { steps, stopServices } = peerSteps(process.argv.slice(2));

process.exit(await runSteps(steps, stopServices));
