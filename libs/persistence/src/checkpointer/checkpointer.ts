import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type { Pool } from 'pg';
import type { Claim } from '../claim';
import { ClaimedSaver } from './claimed-saver';

/** LangGraph's own tables have a schema to themselves. */
export const SCHEMA = 'langgraph';

/** LangGraph's name for a session. */
export const threadId = (session: number) => `session-${session}`;

/** A saver for one claim of a run: its writes are refused once the claim is lost. */
export function claimedCheckpointer(pool: Pool, claim: Claim): PostgresSaver {
  return new ClaimedSaver(pool, claim, SCHEMA);
}

/** A saver for reading histories and deleting threads, outside any run. */
export function checkpointer(pool: Pool): PostgresSaver {
  return new PostgresSaver(pool, undefined, { schema: SCHEMA });
}
