import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startGuarded } from './child-process.mjs';
import { exists } from './files.mjs';
import { LaunchError } from './launch-error.mjs';
import { freePort } from './ports.mjs';
import { postgresBinaries } from './postgres-binaries.mjs';
import { postgresUser } from './postgres-user.mjs';
import { runGuarded } from './run-guarded.mjs';
import { superviseProcess } from './supervised-process.mjs';

const READY_TIMEOUT_MS = 120_000;
const GRACE_MS = 15_000;
const SUPERUSER = 'copilot';
/** The kernel's limit for a socket's path is 104 bytes on macOS, 108 on Linux, with its closing zero. */
const LONGEST_SOCKET_PATH_BYTES = 103;

/** The socket's folder, or '' (no socket, TCP only) when its path would be too long for the kernel. */
export function socketFolderFor(folder) {
  const socketFolder = join(folder, 'socket');
  const path = join(socketFolder, '.s.PGSQL.65535');
  return Buffer.byteLength(path) <= LONGEST_SOCKET_PATH_BYTES ? socketFolder : '';
}

async function makeOwnFolder(folder, { uid, gid }) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (uid !== undefined) await chown(folder, uid, gid);
}

/** Made under another name first, so an initdb that was killed half-way is not taken for a cluster. */
async function createCluster({ binFolder, cluster, folder, password, keep, user }) {
  const unfinished = `${cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user.uid !== undefined) await chown(passwordFile, user.uid, user.gid);
  const args = [
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--locale=C',
    '--encoding=UTF8',
    '--no-instructions',
    '--set=dynamic_shared_memory_type=mmap',
    ...(keep ? [] : ['--no-sync']),
  ];
  const { code, output } = await runGuarded({
    name: 'initdb',
    command: join(binFolder, 'initdb'),
    args,
    cwd: folder,
    ...user,
    timeoutMs: READY_TIMEOUT_MS,
    // It waits for its own children on SIGTERM; its unfinished folder is removed anyway.
    stopSignal: 'SIGKILL',
    remove: keep ? [unfinished] : [folder],
  });
  await rm(passwordFile, { force: true });
  if (code !== 0) throw new LaunchError(`initdb failed in ${folder}:\n${output}`);
  await rename(unfinished, cluster);
}

function serverArguments({ cluster, folder, port, keep }) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: socketFolderFor(folder),
    dynamic_shared_memory_type: 'mmap',
    max_connections: 200,
    // Data that is removed at the end need not survive a power cut.
    ...(keep ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Brings up a private Postgres in `folder`; with `keep` its data outlives it, else the folder is removed. */
export async function startPostgres({ folder, binariesFolder, password, keep, onGiveUp }) {
  const user = await postgresUser();
  const { binFolder, copied } = await postgresBinaries({ user, copyFolder: binariesFolder });
  await makeOwnFolder(folder, user);
  if (socketFolderFor(folder) !== '') await makeOwnFolder(socketFolderFor(folder), user);
  const cluster = join(folder, 'cluster');
  if (!(await exists(cluster))) await createCluster({ binFolder, cluster, folder, password, keep, user });
  const port = await freePort();
  const service = superviseProcess({
    name: 'postgres',
    onGiveUp,
    start: () =>
      startGuarded({
        name: 'postgres',
        command: join(binFolder, 'postgres'),
        args: serverArguments({ cluster, folder, port, keep }),
        cwd: folder,
        ...user,
        // "Fast": ends open transactions and writes a checkpoint. SIGTERM would wait for every client.
        stopSignal: 'SIGINT',
        graceMs: GRACE_MS,
        remove: [...(keep ? [] : [folder]), ...(copied ? [binariesFolder] : [])],
        isReady: (line) => line.includes('database system is ready to accept connections'),
        readyTimeoutMs: READY_TIMEOUT_MS,
      }),
  });
  await service.ready;
  return { ...service, url: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres` };
}
