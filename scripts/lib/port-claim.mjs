import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LaunchError } from './launch-error.mjs';
import { lockFile } from './lock-file.mjs';
import { isFreePort } from './ports.mjs';

const FIRST_PORT = 3090;
const PORTS_TO_TRY = 200;

/** Between the look and the gateway's own bind another launcher may choose the same port: hence the lock. */
async function claim(port, host) {
  const release = await lockFile(join(tmpdir(), `gns3-copilot-${process.getuid?.()}-port-${port}.lock`));
  if (release === null) return null;
  if (await isFreePort(port, host)) return { port, release };
  await release();
  return null;
}

/**
 * The gateway's port: the one that was asked for, or an error when it is taken; else the first free one from
 * 3090 on. `release` gives the claim back once the gateway has ended.
 */
export async function claimPort(asked, host) {
  if (asked !== undefined) {
    const claimed = await claim(asked, host);
    if (claimed === null)
      throw new LaunchError(`Port ${asked} on ${host} is taken or not allowed: choose another --port`);
    return claimed;
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS_TO_TRY; port += 1) {
    const claimed = await claim(port, host);
    if (claimed !== null) return claimed;
  }
  throw new LaunchError(`No free port from ${FIRST_PORT} to ${FIRST_PORT + PORTS_TO_TRY - 1} on ${host}`);
}
