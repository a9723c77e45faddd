import type { ModelConfigChange, NewModelConfig } from '@copilot/persistence';
import { unprocessable } from '../errors/api-error';
import { readMaxTokens } from './max-tokens';
import type { CreateModelConfigDto, UpdateModelConfigDto } from './model-config-requests.dto';

/** Fields with a column of their own; all others, known or not, are the config's settings. */
const COLUMNS = new Set(['name', 'model_type', 'is_default', 'api_key', 'expected_version']);

export function newModelConfig(dto: CreateModelConfigDto): NewModelConfig {
  return {
    name: dto.name,
    modelType: dto.model_type,
    settings: {
      temperature: 0.7,
      max_tokens: null,
      context_strategy: 'balanced',
      copilot_mode: null,
      ...settingsOf(dto),
    },
    apiKey: dto.api_key ?? undefined,
    isDefault: dto.is_default ?? false,
  };
}

export function modelConfigChange(dto: UpdateModelConfigDto): ModelConfigChange {
  const { max_tokens: _asItCame, ...settings } = settingsOf(dto);
  const maxTokens = readMaxTokens(dto.max_tokens);
  return {
    ...given('name', dto.name),
    ...given('modelType', dto.model_type),
    ...given('apiKey', dto.api_key),
    ...given('isDefault', dto.is_default),
    ...given('expectedVersion', dto.expected_version),
    settings: { ...settings, ...(typeof maxTokens === 'number' ? { max_tokens: maxTokens } : {}) },
  };
}

function given<Key extends string, Value>(key: Key, value: Value | null | undefined) {
  return value === null || value === undefined ? {} : { [key]: value };
}

/** null is "not sent", as the contract has it. */
function settingsOf(dto: object): Record<string, unknown> {
  const entries = Object.entries(dto).filter(
    ([key, value]) => !COLUMNS.has(key) && value !== undefined && value !== null,
  );
  for (const [key, value] of entries) assertStorable(key, value);
  return Object.fromEntries(entries);
}

/** Postgres refuses JSON texts with NUL or half a surrogate pair; here they have a name. */
function assertStorable(field: string, value: unknown): void {
  const parts: unknown[] = [field, value];
  while (parts.length > 0) {
    const part = parts.pop();
    if (typeof part === 'string' && (part.includes('\0') || !part.isWellFormed())) {
      throw unprocessable(`${JSON.stringify(field)} must be valid Unicode without NUL`);
    }
    if (typeof part === 'object' && part !== null) {
      const children: [string, unknown][] = Object.entries(part);
      parts.push(...children.flat());
    }
  }
}
