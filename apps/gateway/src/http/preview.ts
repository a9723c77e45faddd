import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createLogger } from '@copilot/observability';
import { AppModule } from '../app.module';
import { settingsSchema } from '../settings';

const NOWHERE = settingsSchema.parse({
  REDIS_URL: 'redis://localhost',
  DATABASE_URL: 'postgres://localhost/none',
  SECRET_KEY: 'not used in preview',
  GNS3_URL: 'http://localhost',
});

/** The gateway as a plan: in Nest's preview mode nothing is instantiated, so it needs neither Redis nor Postgres. */
export function createPreview(): Promise<INestApplication> {
  return NestFactory.create(AppModule.register(NOWHERE, createLogger('openapi', 'fatal')), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
}
