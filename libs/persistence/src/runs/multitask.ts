import type { MultitaskStrategy } from '@copilot/contracts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { runs, type RunRow, type SessionRow } from '../schema';
import type { Queryable } from '../transaction';

/** The unfinished runs of a session whose row the transaction has locked: none joins or leaves them meanwhile. */
interface Line {
  readonly length: number;
  readonly head: Pick<RunRow, 'runId' | 'status' | 'cancelRequestedAt'>;
}

/** The message was to be refused while its session has an unfinished run. */
export class SessionBusyError extends Error {
  override readonly name = 'SessionBusyError';

  constructor({ sessionId, projectId }: Pick<SessionRow, 'sessionId' | 'projectId'>, { head, length }: Line) {
    const { runId, status, cancelRequestedAt } = head;
    const state = cancelRequestedAt === null ? status : 'being cancelled';
    const others = length > 1 ? `, and ${length - 1} more wait behind it` : '';
    const path = `/v3/projects/${projectId}/chat/runs/${runId}`;
    super(
      `Session '${sessionId}' is busy: its run '${runId}' is ${state}${others}. Wait for its end (GET ${path}?wait=30) or end it (POST ${path}/cancel), then send the message again; or send it with multitask_strategy "enqueue", to wait in line, or "interrupt", to cancel what is unfinished`,
    );
  }
}

export interface Place {
  /** Unfinished runs before it. */
  readonly queuePosition: number;
  /** Runs that were cancelled for it: their rows say so, and somebody is to see to their ends. */
  readonly interrupted: readonly string[];
}

/** The place of a new message in the line of its session, as its strategy will have it. Rejects with SessionBusyError. */
export async function placeInLine(
  tx: Queryable,
  session: SessionRow,
  strategy: MultitaskStrategy,
): Promise<Place> {
  const line = await lineOf(tx, session.id);
  if (!line) return { queuePosition: 0, interrupted: [] };
  switch (strategy) {
    case 'reject':
      throw new SessionBusyError(session, line);
    case 'enqueue':
      return { queuePosition: line.length, interrupted: [] };
    case 'interrupt':
      return { queuePosition: line.length, interrupted: await cancelAll(tx, session.id) };
  }
}

async function lineOf(tx: Queryable, session: number): Promise<Line | undefined> {
  const [first] = await tx
    .select({
      runId: runs.runId,
      status: runs.status,
      cancelRequestedAt: runs.cancelRequestedAt,
      length: sql<number>`(count(*) OVER ())::int`,
    })
    .from(runs)
    .where(isUnfinishedOn(session))
    .orderBy(runs.sequence)
    .limit(1);
  return first && { length: first.length, head: first };
}

async function cancelAll(tx: Queryable, session: number): Promise<string[]> {
  const cancelled = await tx
    .update(runs)
    .set({ cancelRequestedAt: sql`coalesce(${runs.cancelRequestedAt}, now())` })
    .where(isUnfinishedOn(session))
    .returning({ runId: runs.runId });
  return cancelled.map(({ runId }) => runId);
}

function isUnfinishedOn(session: number) {
  return and(eq(runs.session, session), isNull(runs.endedAt));
}
