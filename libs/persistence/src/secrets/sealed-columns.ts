import { getTableName } from 'drizzle-orm';
import { extrasContext } from '../model-configs/model-configs.repository';
import { modelConfigs, runTokens } from '../schema';

/** Where sealed texts are stored, and what each is bound to. A new column of such texts belongs in this list. */
export interface SealedColumn {
  readonly table: string;
  /** The table's key, a UUID. */
  readonly key: string;
  readonly column: string;
  readonly contextOf: (key: string) => string;
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: getTableName(modelConfigs),
    key: modelConfigs.configId.name,
    column: modelConfigs.sealedApiKey.name,
    contextOf: (configId) => configId,
  },
  {
    table: getTableName(modelConfigs),
    key: modelConfigs.configId.name,
    column: modelConfigs.sealedExtras.name,
    contextOf: extrasContext,
  },
  {
    table: getTableName(runTokens),
    key: runTokens.runId.name,
    column: runTokens.sealedToken.name,
    contextOf: (runId) => runId,
  },
];
