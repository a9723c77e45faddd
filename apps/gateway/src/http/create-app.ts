import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { NestLogger, nestLines, type Logger } from '@copilot/observability';
import helmet from 'helmet';
import { AppModule } from '../app.module';
import type { Settings } from '../settings';
import { RequestDrain } from '../sse/request-drain';
import type { SseTimes } from '../sse/sse-stream';
import { serveApiDocs } from './api-docs';
import { jsonBodiesOnly } from './json-bodies-only';
import { loopbackHostsOnly } from './loopback-host';

/** Pages of this machine only: the web UI's development and desktop servers. */
const LOCAL_ORIGINS = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;

const BODY_LIMIT = '1mb';

/** The gateway, ready to listen. */
export async function createApp(
  settings: Settings,
  logger: Logger,
  sseTimes?: SseTimes,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.register(settings, logger, sseTimes),
    {
      bodyParser: false,
      // Nest's own lines about its routes and modules say nothing to an operator.
      logger: ['error', 'warn'],
      // A stream stays open for as long as its run takes; without it a shutdown would wait for them.
      forceCloseConnections: true,
      abortOnError: false,
    },
  );
  app.useLogger(nestLines(app.get(NestLogger)));
  app.disable('x-powered-by');
  app.use(app.get(RequestDrain).middleware);
  if (settings.AUTH_MODE === 'none') app.use(loopbackHostsOnly);
  app.use(helmet(PAGE_POLICY));
  // Before what may refuse a body: a page reads an answer only with these headers.
  app.enableCors({
    origin: [LOCAL_ORIGINS, ...settings.CORS_ORIGINS],
    credentials: true,
    exposedHeaders: ['retry-after', 'x-error-id'],
  });
  app.use('/v3', jsonBodiesOnly);
  // Not strict: the web UI may send `null` where there is nothing to send. What is no object is a 422 of ours.
  app.useBodyParser('json', { limit: BODY_LIMIT, strict: false });
  app.enableShutdownHooks();
  serveApiDocs(app);
  return app;
}

/**
 * What the Swagger UI and Bull Board pages need, and nothing from other hosts. No HTTPS is demanded: whoever
 * puts TLS in front of the gateway says so there.
 */
const PAGE_POLICY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: false,
};
