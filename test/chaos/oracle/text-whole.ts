import type { SeenFrame, SentMessage } from '../clients/sent-message';
import { runOf, type Evidence, type Rule } from './evidence';

/**
 * What viewers are left with, once they have dropped what an `attempt` event calls off (docs/limits.md, "When a worker
 * dies"), is what the model said: each iteration once, in order, and whole where the run completed.
 */
export const textWhole: Rule = {
  name: 'the text that viewers are left with is what the model said, once',
  breaches: (evidence: Evidence) =>
    evidence.messages.flatMap((message) => {
      const run = runOf(evidence, message);
      const replay = evidence.replays.find(({ runId }) => runId === run?.runId);
      if (!run || !replay) return [];
      const text = textLeft(replay.frames);
      const breach = breachOf(text, message, run.stopReason === 'completed');
      return breach === undefined ? [] : [`chat ${message.plan.chat}, run ${run.runId}: ${breach}: ${text}`];
    }),
};

/**
 * Frames after which everything before them stands. Not `limits`: of an answer without calls it is in the log before
 * the answer is stored (ADR 001), and the call may be made again after it.
 */
const STORED_BEFORE = ['tool_start', 'tool_end', 'approval_required', 'done'];

/** The text with what each `attempt` calls off left out. */
export function textLeft(frames: readonly SeenFrame[]): string {
  let standing = '';
  let underWay = '';
  for (const { data } of frames) {
    if (data.type === 'content') underWay += String(data.content);
    else if (data.type === 'attempt') underWay = '';
    else if (STORED_BEFORE.includes(data.type)) {
      standing += underWay;
      underWay = '';
    }
  }
  return standing + underWay;
}

function breachOf(text: string, { plan, whole }: SentMessage, completed: boolean): string | undefined {
  const begun = [...text.matchAll(/\[(\d+)\.(\d+): /g)];
  if (begun.some(([, chat]) => Number(chat) !== plan.chat)) return 'it has text of another chat';
  const wrong = begun.findIndex(([, , iteration], index) => Number(iteration) !== index + 1);
  if (wrong >= 0) return `iteration ${wrong + 1} is missing, or said twice`;
  const ended = text.match(/end\] /g)?.length ?? 0;
  // Only the last one may have been cut short, by the end of the run.
  if (ended > begun.length || ended < begun.length - 1)
    return `${ended} of ${begun.length} iterations are whole`;
  if (!completed) return undefined;
  if (begun.length !== plan.iterations.length || ended !== begun.length)
    return `${ended} of ${plan.iterations.length} iterations are whole`;
  const last = plan.iterations.at(-1)?.pieces.join('') ?? '';
  return whole && whole.answer.trim() !== last.trim() ? `the whole answer was ${whole.answer}` : undefined;
}
