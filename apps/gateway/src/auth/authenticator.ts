import { ApiError } from '../errors/api-error';
import type { Identity } from './caller';

/** Injection token of the process's authenticator, one of the three kinds that AUTH_MODE names. */
export const AUTHENTICATOR = Symbol('AUTHENTICATOR');

export interface Authenticator {
  /** Rejects with a 401, or a 503 where nobody can tell. */
  identify(token: string | undefined): Promise<Identity>;
}

/** The texts are the wire contract's. */
export const notAuthenticated = () => new ApiError(401, 'Not authenticated');
export const badCredentials = (reason = 'Could not validate credentials') => new ApiError(401, reason);
