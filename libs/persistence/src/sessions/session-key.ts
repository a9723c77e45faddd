import { and, eq } from 'drizzle-orm';
import { sessions } from '../schema';

/** Whose session of which project is meant; any other is as if it did not exist. */
export interface SessionKey {
  readonly projectId: string;
  readonly userId: string;
  readonly sessionId: string;
}

export function isSession({ projectId, userId, sessionId }: SessionKey) {
  return and(
    eq(sessions.projectId, projectId),
    eq(sessions.sessionId, sessionId),
    eq(sessions.userId, userId),
  );
}
