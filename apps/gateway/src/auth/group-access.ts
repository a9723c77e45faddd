import { Gns3Error } from '@copilot/gns3';
import type { Logger } from '@copilot/observability';
import { ShortCache } from '../caching/short-cache';
import { ApiError, notFound, unavailable } from '../errors/api-error';
import type { Gns3Clients } from '../gns3/gns3-clients';
import { badCredentials } from './authenticator';
import type { Group, GroupPrivilege, Identity } from './caller';

/** Who left a group has its configs for no longer than this. */
const CACHE_MS = 15_000;

export const permissionDenied = (privilege: string) =>
  new ApiError(403, `Permission denied (privilege ${privilege} is required)`);

/** The groups of callers, and what callers may do about groups. */
export class GroupAccess {
  private readonly groups = new ShortCache<readonly Group[]>(CACHE_MS);

  constructor(
    private readonly clients: Gns3Clients,
    private readonly logger: Logger,
  ) {}

  /**
   * The groups that a user is in. A server that cannot be asked makes it none: the user's own configs are to
   * work all the same.
   */
  async ofUser(userId: string, caller: Identity): Promise<readonly Group[]> {
    if (caller.gns3Token === undefined) return userId === caller.userId ? (caller.grants?.groups ?? []) : [];
    try {
      // The service asks: an ordinary user may not even read which groups that user is in.
      return await this.groups.get(userId, async () =>
        (await this.clients.service.groupsOfUser(userId)).map(({ user_group_id, name }) => ({
          id: user_group_id.toLowerCase(),
          name,
        })),
      );
    } catch (error) {
      this.logger.warn({ err: error, userId }, 'the groups of a user could not be read, taken as none');
      return [];
    }
  }

  /** Rejects with 403 without the privilege, and with 404 where the server knows no such group. */
  async assertMay(caller: Identity, groupId: string, privilege: GroupPrivilege): Promise<void> {
    if (caller.gns3Token === undefined) {
      if (caller.isSuperadmin || caller.grants?.groupPrivileges.includes(privilege)) return;
      throw permissionDenied(privilege);
    }
    try {
      await this.clients.of(caller).assertGroupPrivilege(groupId, privilege);
    } catch (error) {
      throw this.refusal(error, groupId, privilege);
    }
  }

  private refusal(error: unknown, groupId: string, privilege: GroupPrivilege): Error {
    const { code, reason } = error instanceof Gns3Error ? error : {};
    switch (code) {
      case 'forbidden':
        return permissionDenied(privilege);
      case 'not_found':
        return notFound(`User group '${groupId}' not found`);
      case 'unauthorized':
        return badCredentials(reason);
      default:
        this.logger.warn({ err: error, groupId }, 'a privilege on a group could not be checked');
        return unavailable('The GNS3 server, which knows the groups,');
    }
  }
}
