import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Connection } from '../database';
import type { Queryable } from '../transaction';
import { modelConfigs, type ModelConfigRow } from '../schema';
import type { SecretBox } from '../secret-box';

export interface NewModelConfig {
  readonly userId: string;
  readonly name: string;
  readonly modelType: string;
  /** Everything of the config but its name, type and key. */
  readonly settings: Record<string, unknown>;
  readonly apiKey: string | undefined;
  readonly isDefault: boolean;
}

export interface ModelConfigChange {
  readonly name?: string;
  readonly modelType?: string;
  /** Merged into the stored settings. */
  readonly settings?: Record<string, unknown>;
  /** An empty one removes the stored key. */
  readonly apiKey?: string;
  readonly isDefault?: boolean;
  readonly expectedVersion?: number;
}

/** Somebody else has changed the config since the caller read it. */
export class VersionConflictError extends Error {
  override readonly name = 'VersionConflictError';

  constructor(expected: number, current: number) {
    super(
      `Concurrent modification detected. Expected version ${expected}, but current version is ${current}. Please retry.`,
    );
  }
}

export class ModelConfigsRepository {
  constructor(
    private readonly connection: Connection,
    private readonly secrets: SecretBox,
  ) {}

  async listOfUser(userId: string): Promise<ModelConfigRow[]> {
    return this.connection.db
      .select()
      .from(modelConfigs)
      .where(eq(modelConfigs.userId, userId))
      .orderBy(asc(modelConfigs.createdAt));
  }

  /** The config that a user's chats run with: the default one, else the first. */
  async effectiveFor(userId: string): Promise<ModelConfigRow | undefined> {
    const [row] = await this.connection.db
      .select()
      .from(modelConfigs)
      .where(eq(modelConfigs.userId, userId))
      .orderBy(desc(modelConfigs.isDefault), asc(modelConfigs.createdAt))
      .limit(1);
    return row;
  }

  async find(configId: string): Promise<ModelConfigRow | undefined> {
    const [row] = await this.connection.db
      .select()
      .from(modelConfigs)
      .where(eq(modelConfigs.configId, configId));
    return row;
  }

  /** The API key in clear, for the one call that needs it. Rejects with SecretUnreadableError. */
  apiKeyOf(row: ModelConfigRow): string | undefined {
    return row.sealedApiKey === null ? undefined : this.secrets.open(row.sealedApiKey, row.configId);
  }

  async create(input: NewModelConfig): Promise<ModelConfigRow> {
    const configId = randomUUID();
    return this.connection.transaction(async (tx) => {
      if (input.isDefault) await clearDefault(tx, input.userId);
      const [row] = await tx
        .insert(modelConfigs)
        .values({
          configId,
          userId: input.userId,
          name: input.name,
          modelType: input.modelType,
          settings: input.settings,
          sealedApiKey: input.apiKey ? this.secrets.seal(input.apiKey, configId) : null,
          isDefault: input.isDefault,
        })
        .returning();
      if (!row) throw new Error('an insert returns its row');
      return row;
    });
  }

  /** Nothing when the user has no such config. Rejects with VersionConflictError. */
  async update(
    userId: string,
    configId: string,
    change: ModelConfigChange,
  ): Promise<ModelConfigRow | undefined> {
    return this.connection.transaction(async (tx) => {
      if (change.isDefault) await lockDefaults(tx, userId);
      const [row] = await tx.select().from(modelConfigs).where(owned(userId, configId)).for('update');
      if (!row) return undefined;
      if (change.expectedVersion !== undefined && change.expectedVersion !== row.version) {
        throw new VersionConflictError(change.expectedVersion, row.version);
      }
      if (change.isDefault) await clearDefault(tx, userId);
      const [updated] = await tx
        .update(modelConfigs)
        .set({
          name: change.name ?? row.name,
          modelType: change.modelType ?? row.modelType,
          settings: { ...row.settings, ...change.settings },
          ...(countsDifferently(row, change) ? { contextLearning: null } : {}),
          sealedApiKey: this.resealed(row, change.apiKey),
          isDefault: change.isDefault ?? row.isDefault,
          version: row.version + 1,
          updatedAt: sql`now()`,
        })
        .where(eq(modelConfigs.configId, configId))
        .returning();
      return updated;
    });
  }

  /**
   * Changes what is learned about a config. The row stays locked from reading to writing, so runs that learn
   * side by side lose nothing of each other. It is no change of the config: version and time stay.
   */
  async updateLearning(configId: string, change: (stored: unknown) => unknown): Promise<void> {
    await this.connection.transaction(async (tx) => {
      const [row] = await tx
        .select({ learned: modelConfigs.contextLearning })
        .from(modelConfigs)
        .where(eq(modelConfigs.configId, configId))
        .for('update');
      if (!row) return;
      await tx
        .update(modelConfigs)
        .set({ contextLearning: change(row.learned) })
        .where(eq(modelConfigs.configId, configId));
    });
  }

  /** Makes one config the default, and no other. Nothing when the user has no such config. */
  async setDefault(userId: string, configId: string): Promise<ModelConfigRow | undefined> {
    return this.connection.transaction(async (tx) => {
      await lockDefaults(tx, userId);
      const [row] = await tx.select().from(modelConfigs).where(owned(userId, configId)).for('update');
      if (!row) return undefined;
      await clearDefault(tx, userId);
      const [updated] = await tx
        .update(modelConfigs)
        .set({ isDefault: true, updatedAt: sql`now()` })
        .where(eq(modelConfigs.configId, configId))
        .returning();
      return updated;
    });
  }

  private resealed(row: ModelConfigRow, apiKey: string | undefined): string | null {
    if (apiKey === undefined) return row.sealedApiKey;
    return apiKey === '' ? null : this.secrets.seal(apiKey, row.configId);
  }
}

/** Settings that decide how a provider counts and how much it takes. */
const COUNTING_SETTINGS = ['provider', 'base_url', 'model', 'tokenizer', 'context_limit'];

/** What was learned about another model, or against another window, would mislead. */
function countsDifferently({ settings: stored }: ModelConfigRow, { settings }: ModelConfigChange): boolean {
  if (!settings) return false;
  return COUNTING_SETTINGS.some((key) => key in settings && settings[key] !== stored[key]);
}

function owned(userId: string, configId: string) {
  return and(eq(modelConfigs.userId, userId), eq(modelConfigs.configId, configId));
}

/** One change of a user's default at a time; the unique index would refuse the slower of two. */
async function lockDefaults(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${`model-config-default ${userId}`}, 0))`,
  );
}

async function clearDefault(tx: Queryable, userId: string): Promise<void> {
  await lockDefaults(tx, userId);
  await tx
    .update(modelConfigs)
    .set({ isDefault: false })
    .where(and(eq(modelConfigs.userId, userId), eq(modelConfigs.isDefault, true)));
}
