import { createHash } from 'node:crypto';
import { Gns3Error, type Gns3Client, type Gns3User } from '@copilot/gns3';
import type { Logger } from '@copilot/observability';
import { ShortCache } from '../caching/short-cache';
import { unavailable } from '../errors/api-error';
import { badCredentials, notAuthenticated, type Authenticator } from './authenticator';
import type { Identity } from './caller';

/** A token that the server has revoked is honoured for no longer than this. */
const CACHE_MS = 15_000;
/** Longer ones are not passed on to the server. */
const MAX_TOKEN_CHARS = 8_192;

type Verdict = { readonly user: Gns3User } | { readonly refusal: string };

/** AUTH_MODE=gns3: the caller brings a token of the GNS3 server, and the server says whose it is. */
export class Gns3Authenticator implements Authenticator {
  /** By a hash, so that no token is kept any longer than its request. */
  private readonly verdicts = new ShortCache<Verdict>(CACHE_MS);

  constructor(
    private readonly clientFor: (token: string) => Pick<Gns3Client, 'currentUser'>,
    private readonly logger: Logger,
  ) {}

  async identify(token: string | undefined): Promise<Identity> {
    if (token === undefined) throw notAuthenticated();
    if (token.length > MAX_TOKEN_CHARS) throw badCredentials();
    const key = createHash('sha256').update(token).digest('base64url');
    const verdict = await this.verdicts.get(key, () => this.ask(token));
    if ('refusal' in verdict) throw badCredentials(verdict.refusal);
    const { user_id, is_superadmin } = verdict.user;
    return { userId: user_id.toLowerCase(), isSuperadmin: is_superadmin, gns3Token: token };
  }

  /** Who cannot be verified is not let in: an absent server is a 503 here, whatever the request is. */
  private async ask(token: string): Promise<Verdict> {
    try {
      const user = await this.clientFor(token).currentUser();
      return user.is_active ? { user } : { refusal: 'Not an active user' };
    } catch (error) {
      if (error instanceof Gns3Error && error.code === 'unauthorized') {
        return { refusal: error.reason ?? 'Could not validate credentials' };
      }
      this.logger.warn({ err: error }, 'the GNS3 server could not be asked who is calling');
      throw unavailable('The GNS3 server, which knows the users,');
    }
  }
}
