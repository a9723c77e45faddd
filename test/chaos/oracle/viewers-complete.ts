import { isDeepStrictEqual } from 'node:util';
import type { SeenFrame, Viewing } from '../clients/sent-message';
import type { Evidence, Replay, Rule } from './evidence';

/**
 * Each viewer got every event of its run's log once and in order, over all its connections. The log keeps the text of
 * a lost attempt, and the `attempt` event after it, so viewers and a replay at the end agree frame by frame. The last
 * events may come from the run's row instead of its log (docs/operating.md, "When Redis loses its data"); they say the
 * same then, without an id.
 */
export const viewersComplete: Rule = {
  name: 'each viewer gets every event once and in order',
  breaches: ({ viewings, replays }: Evidence) =>
    viewings.flatMap((viewing) => {
      const replay = replays.find(({ runId }) => runId === viewing.runId);
      const breach = replay ? breachOf(viewing, replay) : 'its run could not be read at the end';
      return breach === undefined ? [] : [`${viewing.viewer}, run ${viewing.runId}: ${breach}`];
    }),
};

function breachOf({ frames, finished, connections }: Viewing, replay: Replay): string | undefined {
  const over = `over ${connections} connections`;
  for (const [index, frame] of frames.entries()) {
    const wanted = replay.frames[index];
    if (wanted === undefined) return `frame ${index + 1} is one too many ${over}: ${shown(frame)}`;
    if (!isSame(frame, wanted)) {
      return `frame ${index + 1} ${over} is ${shown(frame)}, and the log has ${shown(wanted)}`;
    }
  }
  if (!finished) return `was not sent done ${over}`;
  const missing = replay.frames.length - frames.length;
  return missing === 0 ? undefined : `${missing} frames are missing ${over}`;
}

const FROM_THE_ROW = ['error', 'abort', 'done'];

function isSame(frame: SeenFrame, wanted: SeenFrame): boolean {
  const mayLackId = frame.id === undefined && FROM_THE_ROW.includes(frame.data.type);
  return (frame.id === wanted.id || mayLackId) && isDeepStrictEqual(frame.data, wanted.data);
}

const shown = ({ id, data }: SeenFrame) => `${id ?? 'without id'} ${JSON.stringify(data).slice(0, 160)}`;
