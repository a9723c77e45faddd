import {
  BadRequestException,
  HttpException,
  NotFoundException,
  PayloadTooLargeException,
} from '@nestjs/common';
import { SessionBusyError, SessionNotFoundError, VersionConflictError } from '@copilot/persistence';
import { describe, expect, it } from '@jest/globals';
import { ApiError, notFound, unprocessable } from './api-error';
import { errorResponse } from './error-response';

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields);

describe('errorResponse', () => {
  it.each([
    ['our own', notFound('No.'), 404, { message: 'No.' }],
    [
      'our own with fields',
      new ApiError(422, 'No.', { body: { detail: 'No.' } }),
      422,
      { message: 'No.', detail: 'No.' },
    ],
    ['a bad field', unprocessable('x must be y'), 422, { message: 'x must be y' }],
    ['an unknown route', new NotFoundException('Cannot GET /x'), 404, { detail: 'Not Found' }],
    [
      'unreadable JSON',
      new BadRequestException('Unexpected token'),
      422,
      { message: 'The request cannot be read: Unexpected token' },
    ],
    ["Nest's own", new PayloadTooLargeException('Too large'), 413, { message: 'Too large' }],
    ["another user's session", new SessionNotFoundError('s'), 404, { message: "Session 's' not found" }],
    [
      'a lost race',
      new VersionConflictError(1, 2),
      409,
      {
        message:
          'Concurrent modification detected. Expected version 1, but current version is 2. Please retry.',
      },
    ],
    [
      'a busy session',
      new SessionBusyError(
        { sessionId: 's', projectId: 'p' },
        { length: 1, head: { runId: 'r', status: 'waiting_tools', cancelRequestedAt: null } },
      ),
      409,
      {
        message: expect.stringContaining(
          "Session 's' is busy: its run 'r' is waiting_tools. Wait for its end",
        ),
      },
    ],
    [
      'a body that is too large',
      withFields('request entity too large', { status: 413, type: 'entity.too.large' }),
      413,
      { message: 'The body is too large: at most 1 MB (1048576 bytes) is read' },
    ],
    [
      'the same as Nest wraps it',
      new HttpException('request entity too large', 413, {
        cause: withFields('request entity too large', { status: 413, type: 'entity.too.large' }),
      }),
      413,
      { message: 'The body is too large: at most 1 MB (1048576 bytes) is read' },
    ],
    [
      'a charset that is not read',
      withFields('unsupported charset "X"', { status: 415, type: 'charset.unsupported' }),
      415,
      { message: 'unsupported charset "X"' },
    ],
  ])('%s', (_what, error, status, body) => {
    expect(errorResponse(error)).toEqual({ status, body, unexpected: false });
  });

  it.each([
    ['Redis', withFields('connect ECONNREFUSED 10.1.2.3:6379', { code: 'ECONNREFUSED' })],
    ['Redis', new Error('Connection is closed.')],
    ['Postgres', withFields('terminating connection', { code: '57P01' })],
    [
      'Postgres',
      new Error('Failed query: select 1', { cause: new Error('Connection terminated unexpectedly') }),
    ],
  ])('%s away: 503 with Retry-After and no address or SQL', (_store, error) => {
    const answer = errorResponse(error);
    expect(answer).toMatchObject({ status: 503, retryAfterSeconds: 5, unexpected: false });
    expect(JSON.stringify(answer.body)).not.toMatch(/10\.1|select|connect EC/);
  });

  it.each([
    ['an error', new Error('select * from users at 10.0.0.1')],
    ['an error with a status', withFields('secret', { status: 404 })],
    ['a text', 'secret'],
    ['nothing', undefined],
  ])('%s that nobody foresaw: 500 that says nothing', (_what, error) => {
    expect(errorResponse(error)).toEqual({
      status: 500,
      body: { message: 'Internal error' },
      unexpected: true,
    });
  });
});
