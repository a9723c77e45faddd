import { randomUUID } from 'node:crypto';
import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { LOGGER, type Logger } from '@copilot/observability';
import type { Response } from 'express';
import { errorResponse } from './error-response';

/** Every failed request ends here, and nowhere else. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { status, body, retryAfterSeconds, unexpected } = errorResponse(error);
    if (unexpected) {
      const errorId = randomUUID();
      this.logger.error({ err: error, errorId }, 'request failed unexpectedly');
      if (!response.headersSent) response.setHeader('x-error-id', errorId);
    }
    // A stream that has begun can only be cut; its client resumes from the last id it has.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (status === 401) response.setHeader('www-authenticate', 'Bearer');
    if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
    response.status(status).json(body);
  }
}
