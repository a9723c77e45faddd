import { Injectable } from '@nestjs/common';
import { Gns3Error } from '@copilot/gns3';
import type { Identity } from '../auth/caller';
import { GroupAccess, permissionDenied } from '../auth/group-access';
import { notFound, unavailable } from '../errors/api-error';
import { Gns3Clients } from '../gns3/gns3-clients';

/** Who may read and change whose model configs. */
@Injectable()
export class ConfigAccess {
  constructor(
    private readonly groups: GroupAccess,
    private readonly clients: Gns3Clients,
  ) {}

  /** A user's configs are for that user and for superadmins. */
  assertUser(userId: string, caller: Identity, privilege: 'User.Audit' | 'User.Modify'): void {
    if (userId !== caller.userId && !caller.isSuperadmin) throw permissionDenied(privilege);
  }

  /** Rejects with 404 where the server knows no such user; without a server of users every id is one. */
  async assertUserExists(userId: string, caller: Identity): Promise<void> {
    if (userId === caller.userId || caller.gns3Token === undefined) return;
    try {
      await this.clients.of(caller).getUser(userId);
    } catch (error) {
      if (error instanceof Gns3Error && error.code === 'not_found')
        throw notFound(`User '${userId}' not found`);
      throw unavailable('The GNS3 server, which knows the users,');
    }
  }

  /** A group's configs are for those who may read or change the group itself, and for superadmins. */
  assertGroup(groupId: string, caller: Identity, privilege: 'Group.Audit' | 'Group.Modify'): Promise<void> {
    return this.groups.assertMay(caller, groupId, privilege);
  }
}
