import { join } from 'node:path';
import { openDataFolder } from './data-folder.mjs';
import { startPostgres } from './postgres.mjs';
import { startRedis } from './redis.mjs';

/**
 * Brings up the private services that are asked for (`redis`, `postgres`) in a fresh folder, or in `dataDir`
 * where their data is kept. Returns their settings as `env`, the `secretKey` that belongs to the data, and
 * `stop(force)`. When one cannot start, the other is taken down and the reason thrown.
 */
export async function startServices({ redis = true, postgres = true, dataDir, onGiveUp }) {
  const data = await openDataFolder(dataDir);
  const { folder, runFolder, keep, secrets } = data;
  const starting = [
    redis && startRedis({ folder: join(folder, 'redis'), password: secrets.redisPassword, keep, onGiveUp }),
    postgres &&
      startPostgres({
        folder: join(folder, 'postgres'),
        binariesFolder: join(runFolder, 'postgres-binaries'),
        password: secrets.postgresPassword,
        keep,
        onGiveUp,
      }),
  ];
  const results = await Promise.allSettled(starting);
  const [redisService, postgresService] = results.map((result) => result.value || undefined);
  const running = [redisService, postgresService].filter((service) => service !== undefined);
  const stop = async (force) => {
    await Promise.all(running.map((service) => service.stop(force)));
    await data.close();
  };
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await stop(false);
    throw failure.reason;
  }
  const env = {
    ...(redisService && { REDIS_URL: redisService.url }),
    ...(postgresService && { DATABASE_URL: postgresService.url }),
  };
  return { env, secretKey: secrets.secretKey, stop, pids: () => running.map((service) => service.pid()) };
}
