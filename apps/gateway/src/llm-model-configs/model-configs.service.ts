import { Injectable } from '@nestjs/common';
import { ModelConfigsRepository, type ModelConfigRow } from '@copilot/persistence';
import type { Identity } from '../auth/caller';
import { ApiError, notFound } from '../errors/api-error';
import { BaseUrlPolicy } from './base-url-policy';
import { modelConfigChange, newModelConfig } from './model-config-input';
import type { CreateModelConfigDto, UpdateModelConfigDto } from './model-config-requests.dto';

/** A user's model configs. Everybody sees and changes their own only. */
@Injectable()
export class ModelConfigsService {
  constructor(
    private readonly configs: ModelConfigsRepository,
    private readonly baseUrls: BaseUrlPolicy,
  ) {}

  async list(userId: string, caller: Identity): Promise<ModelConfigRow[]> {
    assertOwn(userId, caller, 'User.Audit');
    return this.configs.listOfUser(userId);
  }

  async create(userId: string, caller: Identity, dto: CreateModelConfigDto): Promise<ModelConfigRow> {
    assertOwn(userId, caller, 'User.Modify');
    await this.baseUrls.assertAllowed(dto.base_url);
    return this.configs.create(newModelConfig(userId, dto));
  }

  async update(
    userId: string,
    configId: string,
    caller: Identity,
    dto: UpdateModelConfigDto,
  ): Promise<ModelConfigRow> {
    assertOwn(userId, caller, 'User.Modify');
    if (typeof dto.base_url === 'string') await this.baseUrls.assertAllowed(dto.base_url);
    return found(configId, await this.configs.update(userId, configId, modelConfigChange(dto)));
  }

  async setDefault(userId: string, configId: string, caller: Identity): Promise<ModelConfigRow> {
    assertOwn(userId, caller, 'User.Modify');
    return found(configId, await this.configs.setDefault(userId, configId));
  }
}

function assertOwn(userId: string, caller: Identity, privilege: string): void {
  if (userId !== caller.userId)
    throw new ApiError(403, `Permission denied (privilege ${privilege} is required)`);
}

function found(configId: string, row: ModelConfigRow | undefined): ModelConfigRow {
  if (!row) throw notFound(`LLM model configuration '${configId}' not found`);
  return row;
}
