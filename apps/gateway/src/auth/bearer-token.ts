import type { Request } from 'express';

/** The token of a request: of the Authorization header, else `?token=`, for clients that cannot set headers. */
export function bearerToken({ headers, query }: Pick<Request, 'headers' | 'query'>): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  return typeof query.token === 'string' && query.token !== '' ? query.token : undefined;
}
