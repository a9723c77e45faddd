import { access, constants, mkdir, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inCheckout } from './checkout.mjs';
import { LaunchError } from './launch-error.mjs';

/** A user id without an account (a container's `--user 12345`) has no home, and asking for it throws. */
function homeCache() {
  try {
    return [join(homedir(), '.cache', 'gns3-copilot-service')];
  } catch {
    return [];
  }
}

/** Best place first. The last one carries the user's id, since the temp folder is shared with other users. */
const cacheCandidates = () => [
  ...homeCache(),
  inCheckout('.cache'),
  join(tmpdir(), `gns3-copilot-service-${process.getuid?.()}`),
];

/** What is run from the cache must have been put there by this user: nobody else may own or write it. */
async function assertOurs(folder) {
  const { uid, mode } = await stat(folder);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${folder} is open to other users`);
}

/** The first candidate that can be created and written, for what is slow to fetch and safe to keep. */
export async function cacheFolder(candidates = cacheCandidates()) {
  for (const folder of candidates) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await assertOurs(folder);
      await access(folder, constants.W_OK | constants.X_OK);
      return folder;
    } catch {
      // An ordinary user of a service account has no home: the next candidate is the answer.
    }
  }
  throw new LaunchError(`No folder for the cache can be written: tried ${candidates.join(', ')}`);
}
