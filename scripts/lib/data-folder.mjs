import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { lockFile } from './lock-file.mjs';
import { LaunchError } from './launch-error.mjs';

/** Root's Postgres runs as `nobody`, who must pass through; nobody else can list or read anything. */
const PASS_THROUGH = 0o711;

const newSecrets = () => ({
  redisPassword: randomBytes(24).toString('hex'),
  postgresPassword: randomBytes(24).toString('hex'),
  secretKey: randomBytes(32).toString('hex'),
});

/** Kept with the data: another SECRET_KEY could not decrypt what the database holds. */
async function keptSecrets(folder) {
  const file = join(folder, 'secrets.json');
  try {
    return { ...newSecrets(), ...JSON.parse(await readFile(file, 'utf8')) };
  } catch (error) {
    if (error.code !== 'ENOENT') throw new LaunchError(`${file} cannot be read: ${error.message}`);
  }
  const secrets = newSecrets();
  await writeFile(file, JSON.stringify(secrets, null, 2), { mode: 0o600, flag: 'wx' });
  return secrets;
}

async function openKept(dataDir) {
  const folder = resolve(dataDir);
  try {
    await mkdir(folder, { recursive: true, mode: PASS_THROUGH });
    const unlock = await lockFile(join(folder, 'launcher.lock'));
    if (unlock === null) throw new LaunchError(`${folder} is in use by another launcher`);
    return { folder, secrets: await keptSecrets(folder), unlock };
  } catch (error) {
    if (error instanceof LaunchError) throw error;
    throw new LaunchError(`The data folder ${folder} cannot be used: ${error.message}`);
  }
}

/**
 * Where the services of one launcher keep what they need: `runFolder` is always fresh and removed by
 * `close`; `folder` holds the data and is the same one, or `dataDir` where the caller wants to keep it.
 */
export async function openDataFolder(dataDir) {
  const kept = dataDir === undefined ? undefined : await openKept(dataDir);
  const runFolder = await mkdtemp(join(tmpdir(), 'gns3-copilot-'));
  await chmod(runFolder, PASS_THROUGH);
  return {
    runFolder,
    folder: kept?.folder ?? runFolder,
    keep: kept !== undefined,
    secrets: kept?.secrets ?? newSecrets(),
    close: async () => {
      // Redis and Postgres took their own folders with them; a leftover here would be a bug to see.
      await rmdir(runFolder).catch((error) =>
        error.code === 'ENOENT' ? undefined : rm(runFolder, { recursive: true }),
      );
      await kept?.unlock();
    },
  };
}
