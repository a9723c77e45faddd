import type { NestExpressApplication } from '@nestjs/platform-express';
import { NestLogger } from '@copilot/observability';
import helmet from 'helmet';
import { serveApiDocs } from './api-docs';

/** Pages of this machine only: the web UI's development and desktop servers. */
const ORIGINS = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;

/** Everything that is the same for all routes. The app must have been created without a body parser. */
export function configureApp(app: NestExpressApplication): void {
  app.useLogger(app.get(NestLogger));
  app.disable('x-powered-by');
  app.use(helmet(PAGE_POLICY));
  app.useBodyParser('json', { limit: '1mb' });
  app.enableCors({ origin: ORIGINS, credentials: true, exposedHeaders: ['retry-after', 'x-error-id'] });
  app.enableShutdownHooks();
  serveApiDocs(app);
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
} as const;
