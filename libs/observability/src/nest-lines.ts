import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'nestjs-pino';

/** Nest's own lines: what it tells of its modules and routes says nothing to an operator, its troubles do. */
export function nestLines(logger: Logger): LoggerService {
  return {
    log: (...line) => logger.debug(...line),
    debug: (...line) => logger.debug(...line),
    verbose: (...line) => logger.verbose(...line),
    warn: (...line) => logger.warn(...line),
    error: (...line) => logger.error(...line),
    fatal: (...line) => logger.fatal(...line),
  };
}
