import { badCredentials, notAuthenticated, type Authenticator } from './authenticator';
import type { Identity } from './caller';
import { verifyJwt } from './jwt';
import { identityFromClaims } from './jwt-claims';

/** AUTH_MODE=jwt: tokens that somebody who knows JWT_SECRET has signed. */
export class JwtAuthenticator implements Authenticator {
  constructor(private readonly secret: string) {}

  async identify(token: string | undefined): Promise<Identity> {
    if (token === undefined) throw notAuthenticated();
    const identity = identityFromClaims(verifyJwt(token, this.secret));
    if (!identity) throw badCredentials();
    return identity;
  }
}
