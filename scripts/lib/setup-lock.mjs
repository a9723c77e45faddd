import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { inCheckout } from './checkout.mjs';
import { lockFile } from './lock-file.mjs';
import { withProgress } from './terminal.mjs';

const RETRY_MS = 250;

async function acquire(path) {
  for (;;) {
    const unlock = await lockFile(path);
    if (unlock !== null) return unlock;
    await delay(RETRY_MS);
  }
}

/** Only one launcher at a time installs packages or builds in this checkout; the others wait and look again. */
export async function withSetupLock(work) {
  await mkdir(inCheckout('.cache'), { recursive: true });
  const path = inCheckout('.cache', 'setup.lock');
  const unlock =
    (await lockFile(path)) ??
    (await withProgress('Waiting for another launcher to install or build', () => acquire(path)));
  try {
    return await work();
  } finally {
    await unlock();
  }
}
