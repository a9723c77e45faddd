import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import {
  IdempotencyConflictError,
  isDatabaseUnavailable,
  SessionBudgetError,
  SessionBusyError,
  SessionNotFoundError,
  VersionConflictError,
} from '@copilot/persistence';
import { isRedisUnavailable } from '@copilot/redis';
import { ApiError, notFound, unavailable } from './api-error';

export interface ErrorResponse {
  readonly status: number;
  readonly body: Record<string, string>;
  readonly retryAfterSeconds?: number;
  /** Nobody foresaw it, so the body says nothing and the log everything. */
  readonly unexpected: boolean;
}

/** What a client gets for a failure: the one place where errors become HTTP. */
export function errorResponse(error: unknown): ErrorResponse {
  const known = translate(error);
  if (known instanceof ApiError) return fromApiError(known);
  // Nest raises it for unknown routes only; ours are ApiErrors.
  if (known instanceof NotFoundException) return expected(404, { detail: 'Not Found' });
  // Unreadable JSON or a broken escape in the path: bad input like any other.
  if (known instanceof BadRequestException)
    return expected(422, { message: `The request cannot be read: ${known.message}` });
  const refusal = bodyParserRefusal(known);
  if (refusal) return refusal;
  if (known instanceof HttpException) return expected(known.getStatus(), { message: known.message });
  return { status: 500, body: { message: 'Internal error' }, unexpected: true };
}

/** Errors of the libs that have a meaning for the client. */
function translate(error: unknown): unknown {
  if (error instanceof SessionNotFoundError) return notFound(error.message);
  if (error instanceof SessionBudgetError) return new ApiError(429, error.message);
  if (isConflict(error)) return new ApiError(409, error.message);
  if (error instanceof ApiError) return error;
  if (isDatabaseUnavailable(error)) return unavailable('The database (Postgres)');
  if (isRedisUnavailable(error)) return unavailable('The queue (Redis)');
  return error;
}

const CONFLICTS = [VersionConflictError, IdempotencyConflictError, SessionBusyError];

function isConflict(error: unknown): error is Error {
  return CONFLICTS.some((kind) => error instanceof kind);
}

function fromApiError(error: ApiError): ErrorResponse {
  const { body, retryAfterSeconds } = error.extras;
  return {
    ...expected(error.getStatus(), { message: error.message, ...body }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/**
 * The body parser's errors are plain ones with a status, which Nest wraps; only 4xx ones have a text meant for
 * clients.
 */
function bodyParserRefusal(caught: unknown): ErrorResponse | undefined {
  const error = caught instanceof HttpException ? caught.cause : caught;
  if (!(error instanceof Error) || !('status' in error) || !('type' in error)) return undefined;
  const { status, type } = error;
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  if (type === 'entity.too.large') {
    return expected(413, { message: 'The body is too large: at most 1 MB (1048576 bytes) is read' });
  }
  return expected(status === 400 ? 422 : status, { message: error.message });
}

function expected(status: number, body: Record<string, string>): ErrorResponse {
  return { status, body, unexpected: false };
}
