import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, isDatabaseUnavailable, type Connection } from './database';
import { openStores } from './testing/stores';

let connection: Connection;

beforeAll(async () => {
  ({ connection } = await openStores());
});

afterAll(() => connection.pool.end());

describe('isDatabaseUnavailable', () => {
  it('knows a refused connection', async () => {
    const away = connect('postgres://x:y@127.0.0.1:1/z', () => undefined, 1);
    const error: unknown = await away.db.execute('SELECT 1').catch((reason: unknown) => reason);
    await away.pool.end();
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('does not take a broken statement for it', async () => {
    const error: unknown = await connection.db.execute('SELECT nothing').catch((reason: unknown) => reason);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
