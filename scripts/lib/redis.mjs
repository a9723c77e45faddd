import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startGuarded } from './child-process.mjs';
import { findRedis } from './redis-binary.mjs';
import { freePort } from './ports.mjs';
import { superviseProcess } from './supervised-process.mjs';

const READY_TIMEOUT_MS = 120_000;
const GRACE_MS = 10_000;

/** A file and not arguments, because any user of the machine can read another process's arguments. */
function configText({ port, folder, password, keep }) {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir "${folder}"`,
    `requirepass ${password}`,
    'save ""',
    `appendonly ${keep ? 'yes' : 'no'}`,
    // BullMQ loses jobs under any other policy.
    'maxmemory-policy noeviction',
    'daemonize no',
    '',
  ].join('\n');
}

/** Brings up a private Redis in `folder`; with `keep` its data outlives it, else the folder is removed. */
export async function startRedis({ folder, password, keep, onGiveUp }) {
  const { command, env } = await findRedis();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const port = await freePort();
  const configFile = join(folder, 'redis.conf');
  await writeFile(configFile, configText({ port, folder, password, keep }), { mode: 0o600 });
  const service = superviseProcess({
    name: 'redis',
    onGiveUp,
    start: () =>
      startGuarded({
        name: 'redis',
        command,
        args: [configFile],
        cwd: folder,
        env: { ...process.env, ...env },
        stopSignal: 'SIGTERM',
        graceMs: GRACE_MS,
        remove: keep ? [] : [folder],
        isReady: (line) => line.includes('Ready to accept connections'),
        readyTimeoutMs: READY_TIMEOUT_MS,
      }),
  });
  await service.ready;
  return { ...service, url: `redis://:${password}@127.0.0.1:${port}` };
}
