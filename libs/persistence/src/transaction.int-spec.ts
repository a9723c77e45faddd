import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { connect, type Connection } from './database';

let connection: Connection;

beforeEach(async () => {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set');
  connection = connect(url, () => undefined, 1);
});

/** Waits for every connection to be given back, so it never ends when one has been lost. */
afterEach(() => connection.pool.end());

const one = () => connection.transaction((tx) => tx.execute(sql`SELECT 1 AS one`));

/** The next connection that is taken breaks before its first statement. */
function breakNextConnection(): void {
  connection.pool.once('acquire', (client) => {
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  });
}

describe('a transaction', () => {
  it('gives its connection back when it cannot even begin', async () => {
    await one();
    breakNextConnection();
    await expect(one()).rejects.toThrow(/terminated|not queryable/);
    expect((await one()).rows).toEqual([{ one: 1 }]);
  });

  it('gives it back when the connection breaks in the middle, with the first error', async () => {
    const broken = connection.transaction(async (tx) => {
      await tx.execute(sql`SELECT pg_terminate_backend(pg_backend_pid())`);
    });
    await expect(broken).rejects.toThrow();
    expect((await one()).rows).toEqual([{ one: 1 }]);
  });

  it('takes everything back when its work fails', async () => {
    await connection.db.execute(sql`CREATE TABLE IF NOT EXISTS taken_back (value int)`);
    const failed = connection.transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO taken_back VALUES (1)`);
      throw new Error('no further');
    });
    await expect(failed).rejects.toThrow('no further');
    expect((await connection.db.execute(sql`TABLE taken_back`)).rows).toEqual([]);
    await connection.db.execute(sql`DROP TABLE taken_back`);
  });
});
