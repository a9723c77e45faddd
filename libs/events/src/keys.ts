/** The hash tag keeps a run's keys in one cluster slot, as the append script needs. */
export const streamKey = (runId: string) => `{run:${runId}}:events`;
export const fencesKey = (runId: string) => `{run:${runId}}:fences`;
export const wakeChannel = (runId: string) => `{run:${runId}}:wake`;

/**
 * Names an entry, and is the SSE `id:` of its frame. It begins with the run's id, since entries of two logs
 * that were written in the same millisecond have the same Redis Stream id.
 */
export type Cursor = `${string}/${string}`;

export function toCursor(runId: string, entryId: string): Cursor {
  return `${runId}/${entryId}`;
}

/** The Redis Stream id in a cursor of this run; nothing for any other text. */
export function entryIdOf(runId: string, cursor: string): string | undefined {
  const entryId = cursor.startsWith(`${runId}/`) ? cursor.slice(runId.length + 1) : '';
  return /^\d{1,15}-\d{1,15}$/.test(entryId) ? entryId : undefined;
}
