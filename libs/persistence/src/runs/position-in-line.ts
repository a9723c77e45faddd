import { and, count, eq, isNull, lt } from 'drizzle-orm';
import { runs, type RunRow } from '../schema';
import type { Queryable } from '../transaction';

/** Unfinished runs before it on its session, at this moment. */
export async function positionInLine(
  db: Queryable,
  { session, sequence }: Pick<RunRow, 'session' | 'sequence'>,
): Promise<number> {
  const [line] = await db
    .select({ length: count() })
    .from(runs)
    .where(and(eq(runs.session, session), isNull(runs.endedAt), lt(runs.sequence, sequence)));
  return line?.length ?? 0;
}
