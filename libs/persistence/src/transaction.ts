import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';

/** A database, or a transaction on one. */
export type Queryable = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/**
 * What `work` does in one transaction, on a connection that goes back to the pool whatever happens.
 * drizzle's own transaction keeps the connection for ever when `BEGIN` fails: every outage would leave the
 * pool smaller, and a pool that misses a connection cannot be closed.
 */
export async function inTransaction<T>(pool: Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let unusable = false;
  try {
    await client.query('BEGIN');
    const result = await work(drizzle(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      unusable = true;
    });
    throw error;
  } finally {
    client.release(unusable);
  }
}
