import 'reflect-metadata';
import { CLOSING_SECONDS, endInTime, endWithParent, parseEnv, waitUntilUsable } from '@copilot/config';
import { COMMAND_TIMEOUT_MS } from '@copilot/contracts';
import { RunSignals } from '@copilot/events';
import { boot, createLogger, NestLogger, nestLines } from '@copilot/observability';
import { checkDatabaseAt } from '@copilot/persistence';
import { checkRedis, connectPatient, Subscriber } from '@copilot/redis';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { ConsoleAccess } from './consoles/console-access';
import { RedisConsoleLocks } from './consoles/redis-console-locks';
import { settingsSchema } from './settings';
import { readForbiddenFile } from './tools/forbidden-in-force';

endWithParent();

await boot(createLogger('tool-worker', 'info'), async () => {
  const settings = parseEnv(settingsSchema, process.env);
  const log = createLogger('tool-worker', settings.LOG_LEVEL);
  const ownForbidden = await readForbiddenFile(settings.FORBIDDEN_COMMANDS_FILE);
  const onFault = (error: Error) => log.warn({ err: error }, 'redis has a fault');
  const redis = connectPatient(settings.REDIS_URL, onFault);
  const onWaiting = (message: string) => log.warn(message);
  await waitUntilUsable('Redis (REDIS_URL)', () => checkRedis(redis), onWaiting);
  await waitUntilUsable('Postgres (DATABASE_URL)', () => checkDatabaseAt(settings.DATABASE_URL), onWaiting);

  const tools = {
    consoles: new ConsoleAccess(new RedisConsoleLocks(redis)),
    ownForbidden,
    commandTimeoutMs: COMMAND_TIMEOUT_MS,
  };
  const signals = new RunSignals(new Subscriber(settings.REDIS_URL, onFault));
  await signals.start();
  const app = await NestFactory.createApplicationContext(
    AppModule.register(settings, log, redis, signals, tools),
    {
      // Nest's own lines about its modules say nothing to an operator.
      logger: ['error', 'warn'],
    },
  );
  app.useLogger(nestLines(app.get(NestLogger)));
  app.enableShutdownHooks();
  endInTime(settings.DRAIN_SECONDS + CLOSING_SECONDS, () =>
    log.error('the drain takes too long: ended without it'),
  );
  log.info('tool worker ready');
});
