import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Connection } from '../database';
import { openStores } from '../testing/stores';
import { VersionConflictError, type ModelConfigsRepository } from './model-configs.repository';

let connection: Connection;
let configs: ModelConfigsRepository;

beforeAll(async () => {
  ({ connection, configs } = await openStores());
});

afterAll(() => connection.pool.end());

describe('model configs', () => {
  const input = {
    name: 'm',
    modelType: 'text',
    settings: { model: 'x', context_limit: 8 },
    apiKey: 'sk-secret-value',
    isDefault: true,
  };

  it('keeps the key sealed in the table and opens it for the call', async () => {
    const row = await configs.create({ userId: randomUUID() }, input);
    const stored = await connection.pool.query('SELECT * FROM model_configs WHERE config_id = $1', [
      row.configId,
    ]);
    expect(JSON.stringify(stored.rows)).not.toContain('sk-secret-value');
    expect(configs.apiKeyOf(row)).toBe('sk-secret-value');
  });

  it('has at most one default a user, also under concurrent changes', async () => {
    const userId = randomUUID();
    const rows = await Promise.all(Array.from({ length: 6 }, () => configs.create({ userId }, input)));
    await Promise.all(rows.map(({ configId }) => configs.setDefault({ userId }, configId)));
    expect((await configs.listOf({ userId })).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  it('leaves the old default when the new one is unknown', async () => {
    const userId = randomUUID();
    const { configId } = await configs.create({ userId }, input);
    expect(await configs.setDefault({ userId }, randomUUID())).toBeUndefined();
    expect(await configs.listOf({ userId })).toMatchObject([{ configId, isDefault: true }]);
  });

  it('refuses a change of a version that is not the current one', async () => {
    const userId = randomUUID();
    const { configId } = await configs.create({ userId }, input);
    expect(await configs.update({ userId }, configId, { name: 'n', expectedVersion: 0 })).toMatchObject({
      version: 1,
    });
    await expect(configs.update({ userId }, configId, { name: 'o', expectedVersion: 0 })).rejects.toThrow(
      VersionConflictError,
    );
  });
});

describe('what is learned about a model config', () => {
  const OWNER = { userId: randomUUID() };
  const count = (stored: unknown) => ({ calls: z.object({ calls: z.number() }).parse(stored).calls + 1 });
  const create = () =>
    configs.create(OWNER, {
      name: 'm',
      modelType: 'text',
      settings: { model: 'x', context_limit: 8 },
      apiKey: undefined,
      isDefault: false,
    });

  it('loses nothing when several learn at once, and is no new version of the config', async () => {
    const row = await create();
    await configs.updateLearning(row.configId, () => ({ calls: 0 }));
    await Promise.all(Array.from({ length: 8 }, () => configs.updateLearning(row.configId, count)));
    expect(await configs.find(row.configId)).toEqual({ ...row, contextLearning: { calls: 8 } });
  });

  it.each([
    ['another name', { name: 'n' }, { calls: 0 }],
    ['the same model again', { settings: { model: 'x' } }, { calls: 0 }],
    ['another model', { settings: { model: 'y' } }, null],
    ['another window', { settings: { context_limit: 16 } }, null],
  ])('after a change to %s: %j', async (_what, change, expected) => {
    const { configId } = await create();
    await configs.updateLearning(configId, () => ({ calls: 0 }));
    const updated = await configs.update(OWNER, configId, change);
    expect(updated?.contextLearning).toEqual(expected);
  });

  it('of a deleted config is nothing', async () => {
    await expect(configs.updateLearning(randomUUID(), count)).resolves.toBeUndefined();
  });
});
