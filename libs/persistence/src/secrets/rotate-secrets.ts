import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Connection } from '../database';
import { SecretUnreadableError, type SecretBox } from '../secret-box';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns';

const BATCH = 200;

export interface RotationCount {
  readonly table: string;
  readonly column: string;
  /** Sealed anew with the first key. */
  readonly resealed: number;
  /** Sealed with the first key already. */
  readonly current: number;
  /** Keys of the rows whose secret none of the keys opens. */
  readonly unreadable: readonly string[];
}

/**
 * Seals every stored secret with the first key. It may run beside everything else and any number of times: a
 * text is replaced only if it is still the one that was read, so what is stored meanwhile wins, and whoever
 * stores seals with the first key anyway.
 */
export async function rotateSecrets(
  connection: Connection,
  secrets: SecretBox,
  batch = BATCH,
): Promise<RotationCount[]> {
  const counts: RotationCount[] = [];
  for (const column of SEALED_COLUMNS) counts.push(await rotateColumn(connection, secrets, column, batch));
  return counts;
}

const pageSchema = z.array(z.object({ key: z.string(), sealed: z.string() }));

async function rotateColumn(
  { db }: Connection,
  secrets: SecretBox,
  { table, key, column, contextOf }: SealedColumn,
  batch: number,
): Promise<RotationCount> {
  const names = { table: sql.identifier(table), key: sql.identifier(key), column: sql.identifier(column) };
  const unreadable: string[] = [];
  let resealed = 0;
  let current = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const page = await db.execute(sql`
      SELECT ${names.key} AS key, ${names.column} AS sealed FROM ${names.table}
      WHERE ${names.column} IS NOT NULL AND ${names.key} > ${after} ORDER BY ${names.key} LIMIT ${batch}`);
    const rows = pageSchema.parse(page.rows);
    for (const row of rows) {
      const judged = judge(secrets, row.sealed, contextOf(row.key));
      if (judged === 'unreadable') unreadable.push(row.key);
      else if (judged === 'current') current += 1;
      else {
        const done = await db.execute(sql`
          UPDATE ${names.table} SET ${names.column} = ${judged.fresh}
          WHERE ${names.key} = ${row.key} AND ${names.column} = ${row.sealed}`);
        resealed += done.rowCount ?? 0;
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < batch) return { table, column, resealed, current, unreadable };
    after = last.key;
  }
}

function judge(
  secrets: SecretBox,
  sealed: string,
  context: string,
): { readonly fresh: string } | 'current' | 'unreadable' {
  try {
    const fresh = secrets.reseal(sealed, context);
    return fresh === undefined ? 'current' : { fresh };
  } catch (error) {
    if (error instanceof SecretUnreadableError) return 'unreadable';
    throw error;
  }
}
