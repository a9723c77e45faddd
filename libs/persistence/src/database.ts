import { errorChain } from '@copilot/contracts';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool, types } from 'pg';
import { BYTEA_ARRAY_OID, parseByteaArray } from './bytea-array';
import { inTransaction, type Queryable } from './transaction';

export interface Connection {
  readonly pool: Pool;
  /** For single statements; several that belong together go through `transaction`. */
  readonly db: Queryable;
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

/**
 * A pool with an error listener: without one, an idle connection that Postgres closes ends the process.
 */
export function connect(url: string, onError: (error: Error) => void, max = 10): Connection {
  const pool = new Pool({
    connectionString: url,
    max,
    // Below the 5 s in which a caller is to learn that the database is away.
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    // A server that hangs and does not even time its statements out.
    query_timeout: 35_000,
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
        oid === BYTEA_ARRAY_OID ? parseByteaArray : types.getTypeParser(oid, format),
    },
  });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return { pool, db: drizzle(pool), transaction: (work) => inTransaction(pool, work) };
}

/** Rejects when Postgres does not answer or has not been migrated. */
export async function checkDatabase({ pool }: Connection): Promise<void> {
  await pool.query('SELECT 1 FROM runs LIMIT 1');
}

/** The same for a database that is not connected yet, with a connection of its own. */
export async function checkDatabaseAt(url: string): Promise<void> {
  const connection = connect(url, () => undefined, 1);
  try {
    await checkDatabase(connection);
  } finally {
    await connection.pool.end();
  }
}

const OPERATIONAL_CODES =
  /^(08|53|57P|57014|25006|55P03|40001|40P01|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/;
const OPERATIONAL_TEXTS =
  /Connection terminated|not queryable|Query read timeout|timeout exceeded when trying to connect|connection timeout/i;

/** Postgres is away or asks for another try: the same work may go through later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (const { code, message } of errorChain(error)) {
    if (code !== undefined && OPERATIONAL_CODES.test(code)) return true;
    if (OPERATIONAL_TEXTS.test(message)) return true;
  }
  return false;
}
