import { rejectedText, type Usage } from '@copilot/contracts';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { ClaimLostError, type Claim } from '../claim';
import type { Connection } from '../database';
import type { Enqueueing } from '../runs/runs.repository';
import { runs, toolCalls, type RunRow, type ToolCallRow } from '../schema';
import { storableText } from '../storable-text';
import type { Queryable } from '../transaction';
import { goOn } from './waiting';

export interface Decision {
  readonly callId: string;
  readonly approved: boolean;
  /** Raw arguments in place of the model's; only of an approved call. */
  readonly edited?: string | undefined;
  readonly reason?: string | undefined;
}

export type Decided =
  | {
      readonly type: 'recorded';
      /** The calls that were named, as they stand now. */
      readonly calls: readonly ToolCallRow[];
      /** Where the run goes on: all of its calls are decided, now or by the same request before. */
      readonly next: Enqueueing | null;
    }
  | { readonly type: 'unknown-call'; readonly callId: string; readonly known: readonly string[] }
  | { readonly type: 'decided-otherwise'; readonly call: ToolCallRow }
  /** The time is over, and the run does not know it yet. */
  | { readonly type: 'too-late' }
  | { readonly type: 'not-waiting'; readonly run: RunRow };

/** Runs that wait for a person, and what the person decides. */
export class ApprovalsRepository {
  constructor(private readonly connection: Connection) {}

  /** Gives the claim up: the run waits, with what it has used so far. Resolves with its row. */
  async wait(claim: Claim, usage: Usage): Promise<RunRow> {
    const [run] = await this.connection.db
      .update(runs)
      .set({
        status: 'waiting_approval',
        claimedBy: null,
        claimedAt: null,
        usage,
        approvalRequestedAt: sql`now()`,
        approvalExpiresAt: sql`now() + ${runs.approvalTimeoutSeconds} * interval '1 second'`,
      })
      .where(and(eq(runs.runId, claim.runId), eq(runs.attempt, claim.attempt), eq(runs.status, 'running')))
      .returning();
    if (!run) throw new ClaimLostError(claim);
    return run;
  }

  /** The run, if it waits at this moment. */
  async waiting(runId: string): Promise<RunRow | undefined> {
    const [run] = await this.connection.db
      .select()
      .from(runs)
      .where(and(eq(runs.runId, runId), eq(runs.status, 'waiting_approval')));
    return run;
  }

  /**
   * Records decisions, all of them or none. One that was recorded before in the same words changes nothing.
   * The last one lets the run go on.
   */
  async decide(runId: string, by: string, decisions: readonly Decision[]): Promise<Decided> {
    return this.connection.transaction(async (tx): Promise<Decided> => {
      const [found] = await tx
        .select({ run: runs, late: sql<boolean>`coalesce(${runs.approvalExpiresAt} <= now(), false)` })
        .from(runs)
        .where(eq(runs.runId, runId))
        .for('update');
      if (!found) throw new Error(`run ${runId} is not there any more`);
      const { run, late } = found;
      const before = await callsToApprove(tx, runId);
      const open: Decision[] = [];
      for (const decision of decisions) {
        const call = before.get(decision.callId);
        if (!call) return { type: 'unknown-call', callId: decision.callId, known: undecided(before) };
        if (call.approval === 'pending') open.push(decision);
        else if (!isSame(call, decision)) return { type: 'decided-otherwise', call };
      }
      if (open.length > 0 && run.status !== 'waiting_approval') return { type: 'not-waiting', run };
      if (open.length > 0 && late) return { type: 'too-late' };
      for (const decision of open) await record(tx, runId, by, decision);
      const after = open.length === 0 ? before : await callsToApprove(tx, runId);
      const ends = run.status === 'waiting_approval' && undecided(after).length === 0;
      return {
        type: 'recorded',
        calls: decisions.flatMap(({ callId }) => after.get(callId) ?? []),
        next: ends ? await goOn(tx, runId) : run.status === 'queued' ? run : null,
      };
    });
  }
}

type Calls = ReadonlyMap<string, ToolCallRow>;

async function callsToApprove(tx: Queryable, runId: string): Promise<Calls> {
  const rows = await tx
    .select()
    .from(toolCalls)
    .where(and(eq(toolCalls.runId, runId), isNotNull(toolCalls.approval)))
    .orderBy(toolCalls.iteration, toolCalls.position);
  return new Map(rows.map((row) => [row.callId, row]));
}

function undecided(calls: Calls): string[] {
  return [...calls.values()].flatMap(({ approval, callId }) => (approval === 'pending' ? [callId] : []));
}

function isSame(call: ToolCallRow, { approved, edited, reason }: Decision): boolean {
  return (
    call.approval === (approved ? 'approved' : 'rejected') &&
    (call.originalArguments === null ? undefined : call.arguments) === storable(edited) &&
    (call.approvalReason ?? undefined) === storable(reason)
  );
}

function storable(text: string | undefined): string | undefined {
  return text === undefined ? undefined : storableText(text);
}

async function record(
  tx: Queryable,
  runId: string,
  by: string,
  { callId, approved, edited, reason }: Decision,
): Promise<void> {
  const approvalReason = storable(reason) ?? null;
  await tx
    .update(toolCalls)
    .set({
      approvalReason,
      decidedBy: by,
      decidedAt: sql`now()`,
      ...(edited === undefined
        ? {}
        : { originalArguments: sql`${toolCalls.arguments}`, arguments: storableText(edited) }),
      ...(approved
        ? { approval: 'approved' as const }
        : {
            approval: 'rejected' as const,
            status: 'rejected' as const,
            output: rejectedText(approvalReason),
            endedAt: sql`now()`,
          }),
    })
    .where(and(eq(toolCalls.runId, runId), eq(toolCalls.callId, callId)));
}
