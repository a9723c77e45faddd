import { eq } from 'drizzle-orm';
import type { Connection } from '../database';
import { runTokens } from '../schema';
import type { SecretBox } from '../secret-box';
import type { Queryable } from '../transaction';

/** Callers' tokens at the GNS3 server, kept sealed for as long as their runs last. */
export class RunTokens {
  constructor(
    private readonly connection: Connection,
    private readonly secrets: SecretBox,
  ) {}

  /** In the transaction that accepts the run. */
  async store(tx: Queryable, runId: string, token: string): Promise<void> {
    await tx.insert(runTokens).values({ runId, sealedToken: this.secrets.seal(token, runId) });
  }

  /** Nothing once the run has ended. Rejects with SecretUnreadableError. */
  async open(runId: string): Promise<string | undefined> {
    const [row] = await this.connection.db.select().from(runTokens).where(eq(runTokens.runId, runId));
    return row && this.secrets.open(row.sealedToken, runId);
  }
}
