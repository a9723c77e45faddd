import type { NextFunction, Request, Response } from 'express';

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

export function isLoopbackName(host: string): boolean {
  return LOOPBACK.test(host.replace(/^\[|\]$/g, '').toLowerCase());
}

/**
 * Without authentication everybody who reaches the port is the local user, so a page in the user's browser
 * must not reach it through a name of its own that resolves to this machine (DNS rebinding).
 */
export function loopbackHostsOnly(request: Request, response: Response, next: NextFunction): void {
  if (isLoopbackName(request.hostname)) return next();
  response.status(403).json({
    message: `Host '${request.hostname.slice(0, 100)}' is not served with AUTH_MODE=none. Use 127.0.0.1 or localhost.`,
  });
}
