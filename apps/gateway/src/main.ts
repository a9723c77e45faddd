import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { endWithParent, parseEnv, SettingsError } from '@copilot/config';
import { createLogger, type Logger } from '@copilot/observability';
import { AppModule } from './app.module';
import { configureApp } from './http/configure-app';
import { settingsSchema, type Settings } from './settings';
import { listen } from './startup/listen';
import { StartupError } from './startup/startup-error';
import { waitForStores } from './startup/wait-for-stores';

async function start(settings: Settings, logger: Logger): Promise<void> {
  await waitForStores(settings, logger);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(settings, logger), {
    bodyParser: false,
    bufferLogs: true,
    // Streams stay open for as long as a run takes; without it a shutdown would wait for them.
    forceCloseConnections: true,
    abortOnError: false,
  });
  configureApp(app);
  const url = await listen(app, settings.PORT, settings.HOST);
  logger.info({ url, docs: `${url}/docs` }, 'gateway ready');
}

endWithParent();
try {
  const settings = parseEnv(settingsSchema, process.env);
  const logger = createLogger('gateway', settings.LOG_LEVEL);
  try {
    await start(settings, logger);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    logger.fatal(error.message);
    process.exit(1);
  }
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
