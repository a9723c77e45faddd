import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { unprocessable } from '../errors/api-error';
import { shortened } from './violations';

const MAX_LENGTH = 200;
const PRINTABLE = new RegExp(`^[\\x21-\\x7e]{1,${MAX_LENGTH}}$`);

/** The caller's own name for a request, from the header; one that cannot be a name is a 422. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const key = context.switchToHttp().getRequest<Request>().header('idempotency-key');
  if (key === undefined || PRINTABLE.test(key)) return key;
  throw unprocessable(
    `Idempotency-Key must be 1 to ${MAX_LENGTH} printable ASCII characters without blanks, got ${shortened(key)}`,
  );
});

/** Its description for the API document. */
export const ApiIdempotencyKey = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'With a key of your own the request may be sent again: the same body gets the same run, another body 409',
    schema: { type: 'string', minLength: 1, maxLength: MAX_LENGTH },
  });
