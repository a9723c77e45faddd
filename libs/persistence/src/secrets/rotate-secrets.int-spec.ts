import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, dropDatabase } from '../../../../test/support/database';
import { connect, type Connection } from '../database';
import { migrate } from '../migrate';
import { SecretBox } from '../secret-box';
import { newRun } from '../../../../test/support/new-run';
import { storesOn } from '../testing/stores';
import { rotateSecrets } from './rotate-secrets';
import { SEALED_COLUMNS } from './sealed-columns';

const OLD = 'the old key of the service';
const NEW = 'the new key of the service';
const owner = { userId: randomUUID() };

let url: string;
let connection: Connection;

beforeAll(async () => {
  url = await createDatabase(process.env.DATABASE_URL ?? '');
  await migrate(url);
  connection = connect(url, () => undefined);
});

afterAll(async () => {
  await connection.pool.end();
  await dropDatabase(process.env.DATABASE_URL ?? '', url);
});

async function store(keys: string, apiKey: string) {
  const { configs, intake } = storesOn(connection, keys);
  const config = await configs.create(owner, {
    name: 'm',
    modelType: 'text',
    settings: { model: 'm', access_token: `extra of ${apiKey}` },
    apiKey,
    isDefault: false,
  });
  const { run } = await intake.accept(
    newRun({ ...owner, modelConfigId: config.configId, gns3Token: `token of ${apiKey}` }),
  );
  return { configId: config.configId, runId: run.runId };
}

const rotate = (keys: string, batch?: number) => rotateSecrets(connection, new SecretBox(keys), batch);
const sumOf = (counts: Awaited<ReturnType<typeof rotate>>, field: 'resealed' | 'current') =>
  counts.reduce((sum, count) => sum + count[field], 0);

describe('rotating secrets', () => {
  it('seals everything with the first key, in batches, and a second time finds nothing to do', async () => {
    const stored = await Promise.all(Array.from({ length: 5 }, (_, n) => store(OLD, `key-${n}`)));
    const first = await rotate(`${NEW},${OLD}`, 2);
    expect([sumOf(first, 'resealed'), sumOf(first, 'current')]).toEqual([15, 0]);
    const second = await rotate(`${NEW},${OLD}`, 2);
    expect([sumOf(second, 'resealed'), sumOf(second, 'current')]).toEqual([0, 15]);

    const { configs, tokens } = storesOn(connection, NEW);
    for (const [n, { configId, runId }] of stored.entries()) {
      const row = await configs.find(configId);
      expect(row && configs.apiKeyOf(row)).toBe(`key-${n}`);
      expect(await tokens.open(runId)).toBe(`token of key-${n}`);
    }
  });

  it('does not undo what is stored meanwhile', async () => {
    const { configId } = await store(OLD, 'before');
    const { configs } = storesOn(connection, `${NEW},${OLD}`);
    await Promise.all([
      rotate(`${NEW},${OLD}`),
      configs.update(owner, configId, { apiKey: 'after' }),
      rotate(`${NEW},${OLD}`),
    ]);
    const row = await configs.find(configId);
    expect(row && configs.apiKeyOf(row)).toBe('after');
  });

  it('names what no key opens, and goes on with the rest', async () => {
    const lost = await store('a key that was thrown away', 'lost');
    const kept = await store(OLD, 'kept');
    const counts = await rotate(`${NEW},${OLD}`);
    expect(counts.map(({ unreadable }) => unreadable)).toEqual([
      [lost.configId],
      [lost.configId],
      [lost.runId],
    ]);
    expect(await storesOn(connection, NEW).tokens.open(kept.runId)).toBe('token of kept');
  });

  it('knows every column of sealed texts', async () => {
    const { rows } = await connection.pool.query<{ name: string }>(
      "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name LIKE 'sealed%' ORDER BY 1",
    );
    expect(rows.map(({ name }) => name)).toEqual(
      SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort(),
    );
  });
});
