import { ofType } from '../../e2e/support/sse-client';
import type { SentMessage } from '../clients/sent-message';
import { runOf, type Evidence, type Replay, type RunFact, type Rule } from './evidence';

const FINAL = ['completed', 'failed', 'cancelled'];

/** Each accepted message ended exactly once: its row is final, and its log has one `done`, last, that says the same. */
export const endedOnce: Rule = {
  name: 'each accepted message ends exactly once',
  breaches: (evidence: Evidence) =>
    evidence.messages.flatMap((message) => {
      const run = runOf(evidence, message);
      if (!run) return [];
      const replay = evidence.replays.find(({ runId }) => runId === run.runId);
      return [...rowBreaches(run, message), ...logBreaches(run, replay), ...wholeBreaches(run, message)].map(
        (breach) => `chat ${message.plan.chat}, run ${run.runId}: ${breach}`,
      );
    }),
};

function rowBreaches(run: RunFact, message: SentMessage): string[] {
  if (!FINAL.includes(run.status) || run.endedAt === null) return [`is ${run.status} at the end`];
  return mayEndSo(run, message)
    ? []
    : [`ended as ${run.status} (${run.stopReason}, ${run.errorCode}), which its plan does not explain`];
}

/** By docs/limits.md and docs/sessions.md. The model and the lab are never disturbed, so nothing else may fail a run. */
function mayEndSo({ status, stopReason }: RunFact, { plan, cancelled }: SentMessage): boolean {
  const { body } = plan;
  switch (stopReason) {
    case 'completed':
      return status === 'completed';
    case 'aborted':
      return status === 'cancelled' && (cancelled || plan.mayBeInterrupted);
    case 'time_limit':
      return status === 'completed' && 'max_execution_time_seconds' in body;
    case 'max_iterations':
    case 'max_tool_calls':
    case 'max_device_config_calls':
      return stopReason in body && (status === 'completed' || body.on_limit_reached === 'fail');
    default:
      return false;
  }
}

function logBreaches(run: RunFact, replay: Replay | undefined): string[] {
  if (!replay) return ['its events could not be read'];
  const dones = ofType(replay.frames, 'done');
  const last = replay.frames.at(-1)?.data;
  return [
    ...(dones.length === 1 ? [] : [`its log has ${dones.length} done`]),
    ...(last?.type === 'done' ? [] : [`its log ends with ${String(last?.type)}`]),
    ...(dones[0] && dones[0].stop_reason !== run.stopReason
      ? [`done says ${String(dones[0].stop_reason)}, the row ${run.stopReason}`]
      : []),
    ...(replay.logEntries === replay.frames.length
      ? []
      : [`its log has ${replay.logEntries} entries, and ${replay.frames.length} were sent`]),
  ];
}

function wholeBreaches(run: RunFact, { whole }: SentMessage): string[] {
  if (!whole || whole.stopReason === run.stopReason) return [];
  return [`the whole answer says ${whole.stopReason}, the row ${run.stopReason}`];
}
