import { cacheFolder } from './cache-folder.mjs';
import { debianProgram, hasApt } from './debian-package.mjs';
import { LaunchError } from './launch-error.mjs';
import { runCommand } from './run-command.mjs';

const OLDEST_MAJOR = 7;

const debianRedis = {
  name: 'redis',
  program: 'usr/bin/redis-server',
  packages: ['redis-server', 'redis-tools'],
};

const installLines = {
  darwin: 'brew install redis',
  linux:
    'sudo apt-get install redis-server (Debian, Ubuntu), sudo dnf install valkey (Fedora), apk add redis (Alpine)',
};

/** Major version from `redis-server --version` or `valkey-server --version`; null when there is none. */
export function majorVersion(versionText) {
  const match = /\bv=(\d+)\./.exec(versionText);
  return match ? Number(match[1]) : null;
}

async function usable({ command, env }) {
  const { code, stdout } = await runCommand(command, ['--version'], { env: { ...process.env, ...env } });
  return code === 0 && (majorVersion(stdout) ?? 0) >= OLDEST_MAJOR;
}

/** A Redis 7+ or Valkey that can be started here: `{ command, env }`. */
export async function findRedis() {
  for (const command of ['redis-server', 'valkey-server']) {
    if (await usable({ command, env: {} })) return { command, env: {} };
  }
  let why = 'neither redis-server nor valkey-server (version 7 or newer) is on the PATH';
  if (await hasApt()) {
    const cache = await cacheFolder();
    try {
      const redis = await debianProgram(cache, debianRedis);
      if (await usable(redis)) return redis;
      why += `, and the distribution's package is older or does not run (${redis.command})`;
    } catch (error) {
      why += `, and the distribution's package could not be fetched: ${error.message}`;
    }
  }
  throw new LaunchError(
    `No Redis: ${why}.\nInstall it (${installLines[process.platform] ?? 'see https://valkey.io/download'}) or set REDIS_URL.`,
  );
}
