import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@copilot/observability';
import { checkDatabase, connect } from '@copilot/persistence';
import { connectFailFast, evictionPolicy, waitUntilReady } from '@copilot/redis';
import { StartupError } from './startup-error';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 1_000;
const TRY_MS = 3_000;

interface Stores {
  readonly REDIS_URL: string;
  readonly DATABASE_URL: string;
}

/** Resolves when both stores can be used. Rejects with a StartupError after about 30 s of trying. */
export async function waitForStores({ REDIS_URL, DATABASE_URL }: Stores, logger: Logger): Promise<void> {
  await Promise.all([
    untilUp('Redis', 'REDIS_URL', logger, () => tryRedis(REDIS_URL)),
    untilUp('Postgres', 'DATABASE_URL', logger, () => tryPostgres(DATABASE_URL)),
  ]);
}

async function untilUp(
  store: string,
  setting: string,
  logger: Logger,
  attempt: () => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof StartupError) throw error;
      const reason = error instanceof Error ? error.message || error.name : String(error);
      if (performance.now() + PAUSE_MS > deadline) {
        throw new StartupError(
          `${store} could not be used for ${PATIENCE_MS / 1000} s (${reason}). Start it, or correct ${setting}.`,
          { cause: error },
        );
      }
      logger.warn({ store, reason }, 'store cannot be used yet, trying again');
      await sleep(PAUSE_MS);
    }
  }
}

async function tryRedis(url: string): Promise<void> {
  // The rejection of waitUntilReady has the error too; the listener only keeps it from being fatal.
  const client = connectFailFast(url, () => undefined);
  try {
    await waitUntilReady(client, TRY_MS);
    const policy = await evictionPolicy(client);
    if (policy !== 'noeviction') {
      throw new StartupError(
        `Redis has maxmemory-policy ${policy}, under which it drops jobs when memory is short. Set it with: CONFIG SET maxmemory-policy noeviction`,
      );
    }
  } finally {
    client.disconnect();
  }
}

async function tryPostgres(url: string): Promise<void> {
  const connection = connect(url, () => undefined, 1);
  try {
    await checkDatabase(connection);
  } catch (error) {
    if (isMissingTable(error)) throw new Error('it has not been migrated: npm run migrate', { cause: error });
    throw error;
  } finally {
    await connection.pool.end();
  }
}

const UNDEFINED_TABLE = '42P01';

function isMissingTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE;
}
