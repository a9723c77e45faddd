import { eq, sql } from 'drizzle-orm';
import { sessions } from '../schema';
import type { Queryable } from '../transaction';

/**
 * Locks the session of a run, so that no message joins its line meanwhile. To be called before anything locks the
 * run: a message that interrupts what is unfinished locks the session and then its runs, and two transactions that
 * take them in different orders wait for each other.
 */
export async function lockSessionOf(tx: Queryable, runId: string): Promise<void> {
  await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.id, sql`(SELECT session FROM runs WHERE run_id = ${runId})`))
    .for('update');
}
