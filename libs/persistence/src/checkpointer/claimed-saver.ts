import { WRITES_IDX_MAP } from '@langchain/langgraph-checkpoint';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type { Pool } from 'pg';
import { z } from 'zod';
import { CLAIM_CHECK_SQL, ClaimLostError, type Claim } from '../claim';
import { fencedPool } from './fenced-pool';
import { StatementValues } from './statement-values';

type Put = PostgresSaver['put'];
type PutWrites = PostgresSaver['putWrites'];

/** Where LangGraph says that a checkpoint belongs. */
const placeSchema = z.object({
  thread_id: z.string(),
  checkpoint_ns: z.string().default(''),
  checkpoint_id: z.string().optional(),
});

const BLOB_TYPES = ['text', 'text', 'text', 'text', 'text', 'bytea'] as const;
const CHECKPOINT_TYPES = ['text', 'text', 'text', 'text', 'jsonb', 'jsonb'] as const;
const WRITE_TYPES = ['text', 'text', 'text', 'text', 'int', 'text', 'text', 'bytea'] as const;
/** Place of the index among a write's values. */
const WRITE_INDEX = 4;

/**
 * LangGraph's saver, whose checkpoints and writes are each one statement instead of a transaction of up to a
 * dozen: the claim is locked, looked at, and what it allows is written, or nothing is. What LangGraph stores
 * and how it reads it are as ever. The saver's other ways to write go through a fenced pool.
 */
export class ClaimedSaver extends PostgresSaver {
  constructor(
    private readonly database: Pool,
    private readonly claim: Claim,
    private readonly schema: string,
  ) {
    super(fencedPool(database, claim), undefined, { schema });
  }

  override async put(...[config, checkpoint, metadata, newVersions]: Parameters<Put>): ReturnType<Put> {
    const { thread_id, checkpoint_ns, checkpoint_id } = placeSchema.parse(config.configurable);
    const blobs = await this._dumpBlobs(thread_id, checkpoint_ns, checkpoint.channel_values, newVersions);
    const row = [
      thread_id,
      checkpoint_ns,
      checkpoint.id,
      checkpoint_id,
      this._dumpCheckpoint(checkpoint),
      await this._dumpMetadata(metadata),
    ];
    const values = this.held();
    await this.write(values, [
      this.insertion(
        'checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)',
        values.rows(blobs, BLOB_TYPES),
        '(thread_id, checkpoint_ns, channel, version) DO NOTHING',
      ),
      this.insertion(
        'checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)',
        values.rows([row], CHECKPOINT_TYPES),
        '(thread_id, checkpoint_ns, checkpoint_id) DO UPDATE SET checkpoint = EXCLUDED.checkpoint, metadata = EXCLUDED.metadata',
      ),
    ]);
    return { configurable: { thread_id, checkpoint_ns, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(...[config, writes, taskId]: Parameters<PutWrites>): ReturnType<PutWrites> {
    const { thread_id, checkpoint_ns, checkpoint_id } = placeSchema
      .required({ checkpoint_id: true })
      .parse(config.configurable);
    const dumped = await this._dumpWrites(thread_id, checkpoint_ns, checkpoint_id, taskId, writes);
    // LangGraph's own marks replace what a former try of the task has left; a task's values stay as they are.
    const replace = writes.every(([channel]) => channel in WRITES_IDX_MAP);
    const values = this.held();
    await this.write(values, [
      this.insertion(
        'checkpoint_writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob)',
        values.rows(replace ? lastOfEachIndex(dumped) : dumped, WRITE_TYPES),
        `(thread_id, checkpoint_ns, checkpoint_id, task_id, idx) ${
          replace
            ? 'DO UPDATE SET channel = EXCLUDED.channel, type = EXCLUDED.type, blob = EXCLUDED.blob'
            : 'DO NOTHING'
        }`,
      ),
    ]);
  }

  private held(): StatementValues {
    return new StatementValues([this.claim.runId, this.claim.attempt]);
  }

  /** An insertion of rows that happens while the claim is held. */
  private insertion(table: string, rows: string | undefined, onConflict: string): string | undefined {
    if (rows === undefined) return undefined;
    return `INSERT INTO "${this.schema}".${table} SELECT given.* FROM held, (${rows}) AS given ON CONFLICT ${onConflict}`;
  }

  private async write({ all }: StatementValues, insertions: readonly (string | undefined)[]): Promise<void> {
    const parts = insertions.flatMap((text, index) => (text === undefined ? [] : [`w${index} AS (${text})`]));
    const found = await this.database.query(
      // Not inlined, or each insertion would look for itself.
      `WITH ${[`held AS MATERIALIZED (${CLAIM_CHECK_SQL})`, ...parts].join(', ')} SELECT 1 FROM held`,
      [...all],
    );
    if (found.rowCount === 0) throw new ClaimLostError(this.claim);
  }
}

/** One statement cannot replace the same row twice; of several, the last one counts. */
function lastOfEachIndex<Row extends readonly unknown[]>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row[WRITE_INDEX], row])).values()];
}
