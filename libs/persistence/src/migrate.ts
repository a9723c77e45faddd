import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import { checkpointer } from './checkpointer/checkpointer';
import { connect } from './database';

/** Beside this file in the sources, beside the bundle in dist. */
const MIGRATIONS = join(dirname(fileURLToPath(import.meta.url)), 'migrations');

/** Any number; all migrating processes must use the same. */
const LOCK = 6_411_022;

/** Brings the database up to date. Several processes may do it at once: one works, the others wait. */
export async function migrate(url: string): Promise<void> {
  const connection = connect(url, () => undefined, 3);
  const lock = await connection.pool.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await applyMigrations(drizzle(connection.pool), { migrationsFolder: MIGRATIONS });
    await checkpointer(connection.pool).setup();
  } finally {
    // Closing the session is what frees its advisory lock, whatever happened before.
    lock.release(true);
    await connection.pool.end();
  }
}
