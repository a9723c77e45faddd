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

/**
 * Finds or makes the session and locks its row, so that the runs of a session are accepted one by one. In one
 * statement: between two, a run that is withdrawn may take the session with it.
 */
export async function openSession(
  tx: Queryable,
  key: SessionKey & { readonly copilotMode: string },
): Promise<SessionRow> {
  const [session] = await tx
    .insert(sessions)
    .values({
      sessionId: key.sessionId,
      projectId: key.projectId,
      userId: key.userId,
      copilotMode: key.copilotMode,
    })
    .onConflictDoUpdate({
      target: [sessions.projectId, sessions.sessionId],
      set: { sessionId: key.sessionId },
    })
    .returning();
  if (!session || session.userId !== key.userId) throw new SessionNotFoundError(key.sessionId);
  return session;
}
