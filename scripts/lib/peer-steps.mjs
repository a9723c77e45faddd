/**
 * What `npm run test:peers` runs: the service beside programs that are not ours, and the newcomer's path. A
 * step is right when its command exits with 0. Relative paths start at the checkout.
 */
export const peerSteps = [
  {
    name: 'fresh clone',
    command: [process.execPath, 'scripts/fresh-machine.mjs', '--once', '--warm-cache'],
    timeoutMs: 7 * 60_000,
  },
];
