import { and, eq } from 'drizzle-orm';
import type { Queryable } from '../transaction';
import { sessions, type SessionRow } from '../schema';
import type { SessionKey } from './session-key';

/** The id belongs to another user's session, which is not to be told from one that does not exist. */
export class SessionNotFoundError extends Error {
  override readonly name = 'SessionNotFoundError';

  constructor(readonly sessionId: string) {
    super(`Session '${sessionId}' not found`);
  }
}

/** Finds or makes the session and locks its row, so that the runs of a session are accepted one by one. */
export async function openSession(
  tx: Queryable,
  key: SessionKey & { readonly copilotMode: string },
): Promise<SessionRow> {
  await tx
    .insert(sessions)
    .values({
      sessionId: key.sessionId,
      projectId: key.projectId,
      userId: key.userId,
      copilotMode: key.copilotMode,
    })
    .onConflictDoNothing();
  const [session] = await tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.projectId, key.projectId), eq(sessions.sessionId, key.sessionId)))
    .for('update');
  if (!session || session.userId !== key.userId) throw new SessionNotFoundError(key.sessionId);
  return session;
}
