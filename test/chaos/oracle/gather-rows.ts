import type { Connection } from '@copilot/persistence';
import type { CallFact, Leftovers, RunFact } from './evidence';

type Pool = Connection['pool'];

const MS = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::float8`;

export async function runFacts(pool: Pool): Promise<RunFact[]> {
  const { rows } = await pool.query<RunFact>(
    `SELECT run_id AS "runId", idempotency_key AS key, message, s.session_id AS session,
            sequence::float8 AS sequence, status, stop_reason AS "stopReason", error_code AS "errorCode",
            ${MS('started_at')} AS "startedAt", ${MS('ended_at')} AS "endedAt"
       FROM runs JOIN sessions s ON s.id = runs.session ORDER BY sequence`,
  );
  return rows;
}

export async function callFacts(pool: Pool): Promise<CallFact[]> {
  const { rows } = await pool.query<CallFact>(
    'SELECT run_id AS "runId", call_id AS "callId", status, output FROM tool_calls',
  );
  return rows;
}

export type RowsLeft = Pick<
  Leftovers,
  | 'unfinishedRuns'
  | 'claimedRuns'
  | 'openCalls'
  | 'callerTokens'
  | 'sessionsWithOldCheckpoints'
  | 'openTransactions'
>;

export async function rowsLeft(pool: Pool): Promise<RowsLeft> {
  const names = async (query: string) =>
    (await pool.query<{ name: string }>(query)).rows.map(({ name }) => name);
  const count = async (query: string) =>
    Number((await pool.query<{ count: string }>(query)).rows[0]?.count ?? Number.NaN);
  return {
    unfinishedRuns: await names('SELECT run_id::text AS name FROM runs WHERE ended_at IS NULL'),
    claimedRuns: await names('SELECT run_id::text AS name FROM runs WHERE claimed_by IS NOT NULL'),
    openCalls: await names('SELECT call_id AS name FROM tool_calls WHERE ended_at IS NULL'),
    callerTokens: await count('SELECT count(*) FROM run_tokens'),
    sessionsWithOldCheckpoints: await count(
      `SELECT count(*) FROM (SELECT 1 FROM langgraph.checkpoints GROUP BY thread_id, checkpoint_ns
        HAVING count(*) > 1) AS old`,
    ),
    openTransactions: await count(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    ),
  };
}
