import { Injectable } from '@nestjs/common';
import { ModelConfigsRepository, type ConfigOwner, type ModelConfigRow } from '@copilot/persistence';
import { notFound } from '../errors/api-error';
import { BaseUrlPolicy } from './base-url-policy';
import { modelConfigChange, newModelConfig } from './model-config-input';
import type { CreateModelConfigDto, UpdateModelConfigDto } from './model-config-requests.dto';

/** The model configs of a user or a group. Who may do what has been decided before: see ConfigAccess. */
@Injectable()
export class ModelConfigsService {
  constructor(
    private readonly configs: ModelConfigsRepository,
    private readonly baseUrls: BaseUrlPolicy,
  ) {}

  list(owner: ConfigOwner): Promise<ModelConfigRow[]> {
    return this.configs.listOf(owner);
  }

  async default(owner: ConfigOwner): Promise<ModelConfigRow> {
    const row = (await this.configs.listOf(owner)).find(({ isDefault }) => isDefault);
    if (!row) throw notFound(`No default LLM model configuration found for ${described(owner)}`);
    return row;
  }

  async create(owner: ConfigOwner, dto: CreateModelConfigDto): Promise<ModelConfigRow> {
    await this.baseUrls.assertAllowed(dto.base_url);
    return this.configs.create(owner, newModelConfig(dto));
  }

  async update(owner: ConfigOwner, configId: string, dto: UpdateModelConfigDto): Promise<ModelConfigRow> {
    if (typeof dto.base_url === 'string') await this.baseUrls.assertAllowed(dto.base_url);
    return found(configId, await this.configs.update(owner, configId, modelConfigChange(dto)));
  }

  async setDefault(owner: ConfigOwner, configId: string): Promise<ModelConfigRow> {
    return found(configId, await this.configs.setDefault(owner, configId));
  }

  async delete(owner: ConfigOwner, configId: string): Promise<void> {
    if (!(await this.configs.delete(owner, configId))) throw missing(configId);
  }
}

function described(owner: ConfigOwner): string {
  return 'userId' in owner ? `user '${owner.userId}'` : `group '${owner.groupId}'`;
}

function found(configId: string, row: ModelConfigRow | undefined): ModelConfigRow {
  if (!row) throw missing(configId);
  return row;
}

const missing = (configId: string) => notFound(`LLM model configuration '${configId}' not found`);
