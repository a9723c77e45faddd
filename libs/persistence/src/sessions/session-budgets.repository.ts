import type { Usage } from '@copilot/contracts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Connection } from '../database';
import { runs, sessions, type SessionRow } from '../schema';
import { isSession, type SessionKey } from './session-key';

/** A session with what its unfinished runs have used so far, as far as their rows say. */
export interface BudgetedSession {
  readonly session: SessionRow;
  readonly atWork: readonly Usage[];
}

/** The budgets of sessions; each is found by its owner only. */
export class SessionBudgetsRepository {
  constructor(private readonly connection: Connection) {}

  async find(key: SessionKey): Promise<BudgetedSession | undefined> {
    const [session] = await this.connection.db.select().from(sessions).where(isSession(key));
    return session && this.withWork(session);
  }

  /** Merges into the stored budget; a null takes one away. Nothing when the user has no such session. */
  async change(
    key: SessionKey,
    budget: Readonly<Record<string, number | null>>,
  ): Promise<BudgetedSession | undefined> {
    const [session] = await this.connection.db
      .update(sessions)
      .set({ budget: sql`${sessions.budget} || ${JSON.stringify(budget)}::jsonb` })
      .where(isSession(key))
      .returning();
    return session && this.withWork(session);
  }

  private async withWork(session: SessionRow): Promise<BudgetedSession> {
    const rows = await this.connection.db
      .select({ usage: runs.usage })
      .from(runs)
      .where(and(eq(runs.session, session.id), isNull(runs.endedAt)));
    return { session, atWork: rows.flatMap(({ usage }) => (usage ? [usage] : [])) };
  }
}
