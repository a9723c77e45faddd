import type { SentMessage } from '../clients/sent-message';
import { runOf, type Evidence, type RunFact, type Rule } from './evidence';

/**
 * One run at a time on a session, in the order of acceptance, and what was said before is in the conversation: a run
 * begins when all that were accepted before it have ended, and its history has their messages in that order.
 */
export const sessionsInOrder: Rule = {
  name: 'the runs of a session are worked on one at a time, in the order of acceptance',
  breaches: (evidence: Evidence) => {
    const sessions = [...new Set(evidence.runs.map(({ session }) => session))];
    return sessions.flatMap((session) => {
      const inLine = evidence.runs
        .filter((run) => run.session === session)
        .toSorted((first, second) => first.sequence - second.sequence);
      return [
        ...overlaps(inLine),
        ...outOfOrder(evidence, inLine),
        ...conversationBreaches(evidence, inLine),
      ];
    });
  },
};

function overlaps(inLine: readonly RunFact[]): string[] {
  return inLine.flatMap((run, index) => {
    const { startedAt } = run;
    if (startedAt === null) return [];
    return inLine
      .slice(0, index)
      .filter(({ endedAt }) => endedAt === null || endedAt > startedAt)
      .map((before) => `run ${run.runId} began while run ${before.runId}, accepted before it, had not ended`);
  });
}

/** A message that was sent after another's acceptance comes after it. */
function outOfOrder(evidence: Evidence, inLine: readonly RunFact[]): string[] {
  const places = new Map(inLine.map((run, index) => [run.runId, index]));
  const placed = evidence.messages.flatMap((message) => {
    const place = places.get(runOf(evidence, message)?.runId ?? '');
    return place === undefined ? [] : [{ message, place }];
  });
  return placed.flatMap((later) =>
    placed
      .filter((earlier) => acceptedBefore(earlier.message, later.message) && earlier.place > later.place)
      .map((earlier) => `chat ${later.message.plan.chat} overtook chat ${earlier.message.plan.chat}`),
  );
}

function acceptedBefore({ acceptedAt }: SentMessage, { sentAt }: SentMessage): boolean {
  return acceptedAt !== undefined && acceptedAt < sentAt;
}

function conversationBreaches({ messages, model }: Evidence, inLine: readonly RunFact[]): string[] {
  const session = inLine[0]?.session ?? '';
  const chatOf = new Map(
    messages.flatMap(({ plan, runIds }) => runIds.map((runId) => [runId, plan.chat] as const)),
  );
  const places = new Map(
    inLine.flatMap(({ runId }, index) => {
      const chat = chatOf.get(runId);
      return chat === undefined ? [] : [[chat, index] as const];
    }),
  );
  const asked = model.asked.filter(({ chat }) => places.has(chat));
  const lastWord = model.lastWords.get(session);
  const completed = inLine
    .filter(({ stopReason }) => stopReason === 'completed')
    .flatMap(({ runId }) => chatOf.get(runId) ?? []);
  return [
    ...asked.map(({ conversation }) => conversation),
    ...(lastWord === undefined ? [] : [lastWord]),
  ].flatMap((conversation) => {
    const inOrder = conversation.every(
      (chat, index) =>
        index === 0 || (places.get(conversation[index - 1] ?? 0) ?? 0) < (places.get(chat) ?? 0),
    );
    const newest = conversation === lastWord ? Infinity : (places.get(conversation.at(-1) ?? 0) ?? 0);
    const lost = completed.filter((chat) => (places.get(chat) ?? 0) < newest && !conversation.includes(chat));
    return [
      ...(inOrder
        ? []
        : [`the conversation of ${session} is out of order: chats ${conversation.join(', ')}`]),
      ...lost.map((chat) => `chat ${chat} is missing in the conversation of chat ${conversation.at(-1)}`),
    ];
  });
}
