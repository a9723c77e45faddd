import { messageOf } from '../plan/chat-plan';
import type { Evidence, Rule } from './evidence';

/**
 * Every message was accepted in the end, as one run, whatever its client had to repeat; nothing but the answers of
 * docs/operating.md ("When something is away") was given meanwhile.
 */
export const acceptedOnce: Rule = {
  name: 'each message is accepted as exactly one run',
  breaches: ({ messages, runs }: Evidence) =>
    messages.flatMap((message) => {
      const { plan, key, acceptedAt, runIds, surprises } = message;
      const chat = `chat ${plan.chat}`;
      const rows = runs.filter((run) => run.message === messageOf(plan.chat));
      return [
        ...surprises.map((surprise) => `${chat}: unexpected answer: ${surprise}`),
        ...(acceptedAt === undefined ? [`${chat}: was never accepted`] : []),
        ...(runIds.length > 1 ? [`${chat}: its key named the runs ${runIds.join(', ')}`] : []),
        ...(rows.length > 1 ? [`${chat}: became ${rows.length} runs`] : []),
        ...(acceptedAt !== undefined && rows.length === 0 ? [`${chat}: was accepted, and has no run`] : []),
        ...rows.flatMap((row) => (row.key === key ? [] : [`${chat}: its run has the key ${row.key}`])),
        ...runIds.flatMap((runId) =>
          rows.some((row) => row.runId === runId)
            ? []
            : [`${chat}: run ${runId} was named, and is not there`],
        ),
      ];
    }),
};
