import type { ModelConfigRow } from '@copilot/persistence';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { naiveUtc } from '../http/naive-utc';
import { effective, type InheritedConfig } from './callers-models';

const SETTINGS_SCHEMA = {
  type: 'object',
  additionalProperties: true,
  description:
    '`api_key` is always null: a stored key never leaves the server. So is any other setting that looks like a secret.',
  example: {
    provider: 'openai',
    base_url: 'https://api.openai.com/v1',
    model: 'gpt-4.1',
    temperature: 0.7,
    api_key: null,
    max_tokens: null,
    context_limit: 128,
    context_strategy: 'balanced',
    copilot_mode: 'lab_automation_assistant',
    input_price: 2.5,
    output_price: 10,
    currency: 'USD',
  },
} as const;

@ApiSchema({ name: 'ModelConfig' })
export class ModelConfigResource {
  @ApiProperty({ format: 'uuid' })
  readonly config_id!: string;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty()
  readonly model_type!: string;
  @ApiProperty(SETTINGS_SCHEMA)
  readonly config!: Record<string, unknown>;
  @ApiProperty({ type: String, nullable: true })
  readonly user_id!: string | null;
  @ApiProperty({ type: String, nullable: true })
  readonly group_id!: string | null;
  @ApiProperty()
  readonly is_default!: boolean;
  @ApiProperty({ description: 'Raised by every change' })
  readonly version!: number;
  @ApiProperty()
  readonly created_at!: string;
  @ApiProperty()
  readonly updated_at!: string;
}

@ApiSchema({ name: 'InheritedModelConfig' })
export class InheritedModelConfig extends ModelConfigResource {
  @ApiProperty({ enum: ['user', 'group'] })
  readonly source!: 'user' | 'group';
  @ApiProperty({ type: String, nullable: true })
  readonly group_name!: string | null;
}

@ApiSchema({ name: 'InheritedModelConfigs' })
export class InheritedModelConfigs {
  @ApiProperty({ type: [InheritedModelConfig] })
  readonly configs!: readonly InheritedModelConfig[];
  @ApiProperty({ type: InheritedModelConfig, nullable: true })
  readonly default_config!: InheritedModelConfig | null;
  @ApiProperty()
  readonly total!: number;
}

@ApiSchema({ name: 'ModelConfigs' })
export class ModelConfigs {
  @ApiProperty({ type: [ModelConfigResource] })
  readonly configs!: readonly ModelConfigResource[];
  @ApiProperty({ type: ModelConfigResource, nullable: true })
  readonly default_config!: ModelConfigResource | null;
  @ApiProperty()
  readonly total!: number;
}

export function modelConfigResource(row: ModelConfigRow): ModelConfigResource {
  return {
    config_id: row.configId,
    name: row.name,
    model_type: row.modelType,
    config: { ...row.settings, api_key: null },
    user_id: row.userId,
    group_id: row.groupId,
    is_default: row.isDefault,
    version: row.version,
    created_at: naiveUtc(row.createdAt),
    updated_at: naiveUtc(row.updatedAt),
  };
}

export function modelConfigs(rows: readonly ModelConfigRow[]): ModelConfigs {
  const configs = rows.map(modelConfigResource);
  return {
    configs,
    default_config: configs.find((config) => config.is_default) ?? null,
    total: configs.length,
  };
}

/** `default_config` is the one that chats run with. */
export function inheritedModelConfigs(inherited: readonly InheritedConfig[]): InheritedModelConfigs {
  const configs = inherited.map(inheritedResource);
  const chosen = effective(inherited);
  return {
    configs,
    default_config: chosen ? inheritedResource(chosen) : null,
    total: configs.length,
  };
}

function inheritedResource({ row, group }: InheritedConfig): InheritedModelConfig {
  return {
    ...modelConfigResource(row),
    source: row.groupId === null ? 'user' : 'group',
    group_name: group?.name ?? null,
  };
}
