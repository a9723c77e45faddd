import { Injectable } from '@nestjs/common';
import { ModelConfigsRepository, type ModelConfigRow } from '@copilot/persistence';
import type { Group, Identity } from '../auth/caller';
import { GroupAccess } from '../auth/group-access';

/** A config with the group that it comes from; without one it is the user's own. */
export interface InheritedConfig {
  readonly row: ModelConfigRow;
  readonly group: Group | undefined;
}

/** Which model configs a user can chat with. */
@Injectable()
export class CallersModels {
  constructor(
    private readonly configs: ModelConfigsRepository,
    private readonly groups: GroupAccess,
  ) {}

  /** The user's own ones, then those of the user's groups, each oldest first. */
  async inherited(userId: string, caller: Identity): Promise<InheritedConfig[]> {
    const [own, groups] = await Promise.all([
      this.configs.listOf({ userId }),
      this.groups.ofUser(userId, caller),
    ]);
    const shared = await this.configs.listOfGroups(groups.map(({ id }) => id));
    return [...own.map((row) => ({ row, group: undefined })), ...shared.map((row) => ofGroup(row, groups))];
  }

  /** The one that the caller's chats run with. */
  async effectiveFor(caller: Identity): Promise<ModelConfigRow | undefined> {
    return effective(await this.inherited(caller.userId, caller))?.row;
  }
}

/** Own default, group's default, first own, first of a group. */
export function effective(configs: readonly InheritedConfig[]): InheritedConfig | undefined {
  // The order of the list breaks both ties: own ones first, older ones first.
  return configs.find(({ row }) => row.isDefault) ?? configs[0];
}

function ofGroup(row: ModelConfigRow, groups: readonly Group[]): InheritedConfig {
  return { row, group: groups.find(({ id }) => id === row.groupId) };
}
