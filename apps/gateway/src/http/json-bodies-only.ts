import type { NextFunction, Request, Response } from 'express';
import { unprocessable } from '../errors/api-error';

/**
 * A body of another type would not be read, and then be refused for fields that the client has sent. It must not
 * be taken for JSON either: pages of other sites may send such a body without asking first.
 */
export function jsonBodiesOnly(request: Request, _response: Response, next: NextFunction): void {
  // Null without a body; one that is empty has a length.
  if (request.is('json') !== false || request.get('content-length') === '0') return next();
  const type = request.get('content-type');
  const got = type === undefined ? 'but it has no content type' : `got ${JSON.stringify(type.slice(0, 100))}`;
  next(unprocessable(`The body must be JSON, ${got}: send the header "Content-Type: application/json"`));
}
