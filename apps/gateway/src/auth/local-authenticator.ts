import { LOCAL_USER_ID } from '@copilot/contracts';
import type { Authenticator } from './authenticator';
import type { Identity } from './caller';

/** AUTH_MODE=none: whoever reaches the port, which is on loopback, is the one local user. */
export class LocalAuthenticator implements Authenticator {
  async identify(): Promise<Identity> {
    return { userId: LOCAL_USER_ID, isSuperadmin: false };
  }
}
