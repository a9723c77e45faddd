import type { NextFunction, Request, Response } from 'express';
import type { Authenticator } from '../auth/authenticator';
import { bearerToken } from '../auth/bearer-token';
import { isLocalUser } from '../auth/caller';
import { ApiError } from '../errors/api-error';

const COOKIE = 'copilot_dashboard';

/**
 * Lets superadmins at the dashboard. A browser cannot send a header with a page, so it is opened once with
 * `?token=`; the token then moves into a cookie of these pages, out of the address and out of scripts' reach.
 */
export function dashboardAccess(authenticator: Authenticator, path: string) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const fromRequest = bearerToken(request);
    const caller = await authenticator.identify(fromRequest ?? cookieOf(request));
    if (!caller.isSuperadmin && !isLocalUser(caller))
      throw new ApiError(403, 'Only administrators can see the queues');
    if (request.query.token === undefined || fromRequest === undefined) return next();
    response.cookie(COOKIE, fromRequest, {
      path,
      httpOnly: true,
      sameSite: 'strict',
      secure: request.secure || behindTls(request),
    });
    response.redirect(303, path);
  };
}

/** As a proxy in front says it. Whoever makes it up only keeps the cookie from coming back. */
function behindTls({ headers }: Request): boolean {
  return headers['x-forwarded-proto'] === 'https';
}

function cookieOf({ headers }: Request): string | undefined {
  const cookies = (headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
  const value = cookies.find(([name]) => name === COOKIE)?.[1];
  return value === undefined ? undefined : decoded(value);
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
