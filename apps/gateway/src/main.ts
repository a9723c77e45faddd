import 'reflect-metadata';
import { ENCODINGS, tokenCounter } from '@copilot/context-budget';
import { endInTime, endWithParent, parseEnv, waitUntilUsable } from '@copilot/config';
import { readBuiltInPrompts } from '@copilot/model-request';
import { boot, createLogger, type Logger } from '@copilot/observability';
import { checkDatabaseAt } from '@copilot/persistence';
import { checkRedis, connectFailFast } from '@copilot/redis';
import { createApp } from './http/create-app';
import { listen } from './http/listen';
import { settingsSchema, type Settings } from './settings';

/** Requests under way have 8 s for their answers, then the stores are closed. */
const SHUTDOWN_SECONDS = 13;

async function waitForStores({ REDIS_URL, DATABASE_URL }: Settings, log: Logger): Promise<void> {
  const onWaiting = (message: string) => log.warn(message);
  const redis = connectFailFast(REDIS_URL, (error) => log.debug({ err: error }, 'redis connection failed'));
  try {
    await waitUntilUsable('Redis (REDIS_URL)', () => checkRedis(redis), onWaiting);
  } finally {
    redis.disconnect();
  }
  await waitUntilUsable('Postgres (DATABASE_URL)', () => checkDatabaseAt(DATABASE_URL), onWaiting);
}

endWithParent();

await boot(createLogger('gateway', 'info'), async () => {
  const settings = parseEnv(settingsSchema, process.env);
  const log = createLogger('gateway', settings.LOG_LEVEL);
  await waitForStores(settings, log);
  // Building a counter takes a moment in which no stream would move; estimates need them and the prompts.
  for (const encoding of ENCODINGS) tokenCounter(encoding);
  readBuiltInPrompts();
  const app = await createApp(settings, log);
  endInTime(SHUTDOWN_SECONDS, () => log.error('the shutdown takes too long: ended without it'));
  const url = await listen(app, settings.PORT, settings.HOST);
  log.info({ url, docs: `${url}/docs` }, 'gateway ready');
});
