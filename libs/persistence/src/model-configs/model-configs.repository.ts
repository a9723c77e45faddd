import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Connection } from '../database';
import type { Queryable } from '../transaction';
import { modelConfigs, type ModelConfigRow } from '../schema';
import { SecretUnreadableError, type SecretBox } from '../secret-box';
import { splitSecrets } from './secret-settings';

/** Whose a config is. */
export type ConfigOwner = { readonly userId: string } | { readonly groupId: string };

export interface NewModelConfig {
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

const extrasSchema = z.record(z.string(), z.unknown());

/** The context that a config's sealed extras are bound to. */
export const extrasContext = (configId: string) => `${configId}/extras`;

export class ModelConfigsRepository {
  constructor(
    private readonly connection: Connection,
    private readonly secrets: SecretBox,
  ) {}

  /** Oldest first. */
  async listOf(owner: ConfigOwner): Promise<ModelConfigRow[]> {
    return this.connection.db
      .select()
      .from(modelConfigs)
      .where(ownedBy(owner))
      .orderBy(asc(modelConfigs.createdAt));
  }

  /** The configs of all these groups, oldest first. */
  async listOfGroups(groupIds: readonly string[]): Promise<ModelConfigRow[]> {
    if (groupIds.length === 0) return [];
    return this.connection.db
      .select()
      .from(modelConfigs)
      .where(inArray(modelConfigs.groupId, [...groupIds]))
      .orderBy(asc(modelConfigs.createdAt));
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

  async create(owner: ConfigOwner, input: NewModelConfig): Promise<ModelConfigRow> {
    const configId = randomUUID();
    const { plain, secret } = splitSecrets(input.settings);
    return this.connection.transaction(async (tx) => {
      if (input.isDefault) await clearDefault(tx, owner);
      const [row] = await tx
        .insert(modelConfigs)
        .values({
          configId,
          ...owner,
          name: input.name,
          modelType: input.modelType,
          settings: plain,
          sealedApiKey: input.apiKey ? this.secrets.seal(input.apiKey, configId) : null,
          sealedExtras: this.sealExtras(configId, secret),
          isDefault: input.isDefault,
        })
        .returning();
      if (!row) throw new Error('an insert returns its row');
      return row;
    });
  }

  /** Nothing when the owner has no such config. Rejects with VersionConflictError. */
  async update(
    owner: ConfigOwner,
    configId: string,
    change: ModelConfigChange,
  ): Promise<ModelConfigRow | undefined> {
    return this.connection.transaction(async (tx) => {
      if (change.isDefault) await lockDefaults(tx, owner);
      const row = await lockRow(tx, owner, configId);
      if (!row) return undefined;
      if (change.expectedVersion !== undefined && change.expectedVersion !== row.version) {
        throw new VersionConflictError(change.expectedVersion, row.version);
      }
      if (change.isDefault) await clearDefault(tx, owner);
      const { plain, secret } = splitSecrets(change.settings ?? {});
      const [updated] = await tx
        .update(modelConfigs)
        .set({
          name: change.name ?? row.name,
          modelType: change.modelType ?? row.modelType,
          settings: { ...row.settings, ...plain },
          ...(countsDifferently(row, change) ? { contextLearning: null } : {}),
          sealedApiKey: this.resealed(row, change.apiKey),
          sealedExtras: this.mergedExtras(row, plain, secret),
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

  /** Makes one config the default, and no other. Nothing when the owner has no such config. */
  async setDefault(owner: ConfigOwner, configId: string): Promise<ModelConfigRow | undefined> {
    return this.connection.transaction(async (tx) => {
      await lockDefaults(tx, owner);
      if (!(await lockRow(tx, owner, configId))) return undefined;
      await clearDefault(tx, owner);
      const [updated] = await tx
        .update(modelConfigs)
        .set({ isDefault: true, updatedAt: sql`now()` })
        .where(eq(modelConfigs.configId, configId))
        .returning();
      return updated;
    });
  }

  /** False when the owner has no such config. Runs that were to use it end with an error that says so. */
  async delete(owner: ConfigOwner, configId: string): Promise<boolean> {
    const gone = await this.connection.db
      .delete(modelConfigs)
      .where(owned(owner, configId))
      .returning({ configId: modelConfigs.configId });
    return gone.length > 0;
  }

  private resealed(row: ModelConfigRow, apiKey: string | undefined): string | null {
    if (apiKey === undefined) return row.sealedApiKey;
    return apiKey === '' ? null : this.secrets.seal(apiKey, row.configId);
  }

  private sealExtras(configId: string, extras: Record<string, unknown>): string | null {
    if (Object.keys(extras).length === 0) return null;
    return this.secrets.seal(JSON.stringify(extras), extrasContext(configId));
  }

  private mergedExtras(
    { configId, sealedExtras }: ModelConfigRow,
    plain: Record<string, unknown>,
    secret: Record<string, unknown>,
  ): string | null {
    if (Object.keys(plain).length === 0) return sealedExtras;
    const kept = Object.entries(this.openExtras(configId, sealedExtras)).filter(([name]) => !(name in plain));
    return this.sealExtras(configId, { ...Object.fromEntries(kept), ...secret });
  }

  /** Extras that no key opens any more are as good as gone. */
  private openExtras(configId: string, sealed: string | null): Record<string, unknown> {
    if (sealed === null) return {};
    try {
      return extrasSchema.parse(JSON.parse(this.secrets.open(sealed, extrasContext(configId))));
    } catch (error) {
      if (error instanceof SecretUnreadableError) return {};
      throw error;
    }
  }
}

/** Settings that decide how a provider counts and how much it takes. */
const COUNTING_SETTINGS = ['provider', 'base_url', 'model', 'tokenizer', 'context_limit'];

/** What was learned about another model, or against another window, would mislead. */
function countsDifferently({ settings: stored }: ModelConfigRow, { settings }: ModelConfigChange): boolean {
  if (!settings) return false;
  return COUNTING_SETTINGS.some((key) => key in settings && settings[key] !== stored[key]);
}

function ownedBy(owner: ConfigOwner) {
  return 'userId' in owner ? eq(modelConfigs.userId, owner.userId) : eq(modelConfigs.groupId, owner.groupId);
}

function owned(owner: ConfigOwner, configId: string) {
  return and(ownedBy(owner), eq(modelConfigs.configId, configId));
}

async function lockRow(
  tx: Queryable,
  owner: ConfigOwner,
  configId: string,
): Promise<ModelConfigRow | undefined> {
  const [row] = await tx.select().from(modelConfigs).where(owned(owner, configId)).for('update');
  return row;
}

/** One change of an owner's default at a time; the unique index would refuse the slower of two. */
async function lockDefaults(tx: Queryable, owner: ConfigOwner): Promise<void> {
  const name = 'userId' in owner ? `user ${owner.userId}` : `group ${owner.groupId}`;
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`model-config-default ${name}`}, 0))`);
}

async function clearDefault(tx: Queryable, owner: ConfigOwner): Promise<void> {
  await lockDefaults(tx, owner);
  await tx
    .update(modelConfigs)
    .set({ isDefault: false })
    .where(and(ownedBy(owner), eq(modelConfigs.isDefault, true)));
}
