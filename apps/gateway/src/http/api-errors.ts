import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse } from '@nestjs/swagger';

/** What every failed request gets. */
export class ErrorBody {
  @ApiProperty({ example: "Project ID 3f2b1c0a-0000-4000-8000-000000000000 doesn't exist" })
  readonly message!: string;
}

/** Documents a route's error answers: status and when it is given. */
export const ApiErrors = (errors: Record<number, string>) =>
  applyDecorators(
    ...Object.entries({
      401: 'No token, or one that is not valid (not with AUTH_MODE=none)',
      429: 'Too many requests of this user; see `Retry-After`',
      ...errors,
      500: 'Something unforeseen; `X-Error-Id` names it in the log',
      503: 'Redis or Postgres is away; see `Retry-After`',
    }).map(([status, description]) => ApiResponse({ status: Number(status), description, type: ErrorBody })),
  );
