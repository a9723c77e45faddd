import 'reflect-metadata';
import { CLOSING_SECONDS, endInTime, endWithParent, parseEnv, waitUntilUsable } from '@copilot/config';
import { countingLine, ENCODINGS, tokenCounter } from '@copilot/context-budget';
import { RunSignals } from '@copilot/events';
import { readBuiltInPrompts } from '@copilot/model-request';
import { boot, createLogger, NestLogger, nestLines } from '@copilot/observability';
import { checkDatabaseAt } from '@copilot/persistence';
import { checkRedis, connectPatient, Subscriber } from '@copilot/redis';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { settingsSchema } from './settings';

endWithParent();

await boot(createLogger('agent-worker', 'info'), async () => {
  const settings = parseEnv(settingsSchema, process.env);
  const log = createLogger('agent-worker', settings.LOG_LEVEL);
  const onFault = (error: Error) => log.warn({ err: error }, 'redis has a fault');
  const redis = connectPatient(settings.REDIS_URL, onFault);
  // Before the first run needs them: building takes half a second, and ranks that do not load end it here.
  for (const encoding of ENCODINGS) log.info(countingLine(tokenCounter(encoding).encoding));
  // A prompt that is missing must stop the worker, not a run.
  readBuiltInPrompts();
  const onWaiting = (message: string) => log.warn(message);
  await waitUntilUsable('Redis (REDIS_URL)', () => checkRedis(redis), onWaiting);
  await waitUntilUsable('Postgres (DATABASE_URL)', () => checkDatabaseAt(settings.DATABASE_URL), onWaiting);

  const signals = new RunSignals(new Subscriber(settings.REDIS_URL, onFault));
  await signals.start();

  const app = await NestFactory.createApplicationContext(AppModule.register(settings, log, redis, signals), {
    // Nest's own lines about its modules say nothing to an operator.
    logger: ['error', 'warn'],
  });
  app.useLogger(nestLines(app.get(NestLogger)));
  app.enableShutdownHooks();
  endInTime(settings.DRAIN_SECONDS + CLOSING_SECONDS, () =>
    log.error('the drain takes too long: ended without it'),
  );
  log.info('agent worker ready');
});
