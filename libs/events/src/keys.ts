/** The hash tag keeps a run's keys in one cluster slot, as the append script needs. */
export const streamKey = (runId: string) => `{run:${runId}}:events`;
export const fencesKey = (runId: string) => `{run:${runId}}:fences`;
export const wakeChannel = (runId: string) => `{run:${runId}}:wake`;

/** An entry's Redis Stream id; the SSE `id:` of the frame made from it. */
export type Cursor = string;

export function isCursor(text: string): boolean {
  return /^\d{1,15}-\d{1,15}$/.test(text);
}
