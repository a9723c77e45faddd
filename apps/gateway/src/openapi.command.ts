import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { createLogger } from '@copilot/observability';
import { AppModule } from './app.module';
import { apiDocument } from './http/api-docs';
import { settingsSchema } from './settings';

/**
 * `node dist/openapi.js` writes docs/openapi.json; with `--check` it only says whether that file is up to
 * date. In Nest's preview mode nothing is instantiated, so neither Redis nor Postgres is needed.
 */
const FILE = 'docs/openapi.json';

const NOWHERE = settingsSchema.parse({
  REDIS_URL: 'redis://localhost',
  DATABASE_URL: 'postgres://localhost/none',
  SECRET_KEY: 'not used in preview',
  GNS3_URL: 'http://localhost',
});

async function currentDocument(): Promise<string> {
  const app = await NestFactory.create(AppModule.register(NOWHERE, createLogger('openapi', 'fatal')), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return `${JSON.stringify(apiDocument(app), null, 2)}\n`;
}

const document = await currentDocument();
if (!process.argv.includes('--check')) {
  await writeFile(FILE, document);
  console.log(`${FILE} is written.`);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== document) {
  console.error(
    `${FILE} does not describe the API any more. Write it anew: npm run build && npm run openapi`,
  );
  process.exitCode = 1;
}
