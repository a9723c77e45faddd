import { sql } from 'drizzle-orm';
import type { Queryable } from './transaction';

/** A worker's hold on a run. Every write of the worker checks it. */
export interface Claim {
  readonly runId: string;
  readonly attempt: number;
}

/** Another worker has claimed the run since, or it was ended from outside: stop, and write nothing more. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';

  constructor({ runId, attempt }: Claim) {
    super(`attempt ${attempt} of run ${runId} no longer holds it`);
  }
}

export const CLAIM_CHECK_SQL =
  "SELECT 1 FROM runs WHERE run_id = $1 AND attempt = $2 AND status = 'running' FOR SHARE";

/** To be called first in the transaction of the write; the row lock keeps the claim until it commits. */
export async function assertClaim(tx: Queryable, claim: Claim): Promise<void> {
  const found = await tx.execute(
    sql`SELECT 1 FROM runs WHERE run_id = ${claim.runId} AND attempt = ${claim.attempt} AND status = 'running' FOR SHARE`,
  );
  if (found.rows.length === 0) throw new ClaimLostError(claim);
}
