import { limitMissingText } from '@copilot/context-budget';
import { modelSettingsSchema, RunError, type ModelSettings } from '@copilot/contracts';
import type { Logger } from '@copilot/observability';
import {
  SecretUnreadableError,
  type ModelConfigRow,
  type ModelConfigsRepository,
} from '@copilot/persistence';
import type { ChatModel } from './chat-model';
import { ConfigLearning } from './config-learning';
import { guardedFetch } from './guarded-fetch';
import { OpenAiModel } from './openai.model';

export interface ConfiguredModel {
  readonly model: ChatModel;
  readonly settings: ModelSettings;
  readonly learning: ConfigLearning;
}

/** Makes the model that a run's config names. Rejects with RunError when the config cannot be worked with. */
export class ModelFactory {
  private readonly fetch: typeof fetch;

  constructor(
    private readonly configs: ModelConfigsRepository,
    allowedHosts: readonly string[],
  ) {
    this.fetch = guardedFetch(allowedHosts);
  }

  async of(configId: string, log: Logger): Promise<ConfiguredModel> {
    const row = await this.configs.find(configId);
    if (!row) {
      throw new RunError(
        'model_config_missing',
        'The model configuration of this run has been deleted. Choose another one and send the message again.',
      );
    }
    const settings = modelSettingsSchema.safeParse(row.settings);
    if (!settings.success) {
      if (settings.error.issues.some((issue) => issue.path[0] === 'context_limit')) {
        throw new RunError('context_limit_missing', limitMissingText(String(row.settings.model)));
      }
      const [issue] = settings.error.issues;
      throw new RunError(
        'model_config_missing',
        `The model configuration '${row.name}' is not usable: ${issue?.path.join('.')}: ${issue?.message}`,
      );
    }
    return {
      settings: settings.data,
      model: new OpenAiModel(settings.data, this.apiKeyOf(row), this.fetch),
      learning: new ConfigLearning(
        row.contextLearning,
        (change) => this.configs.updateLearning(configId, change),
        log,
      ),
    };
  }

  private apiKeyOf(row: ModelConfigRow): string | undefined {
    try {
      return this.configs.apiKeyOf(row);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      throw new RunError(
        'model_config_missing',
        `The API key of the model configuration '${row.name}' cannot be read any more. Enter it again.`,
        { cause: error },
      );
    }
  }
}
