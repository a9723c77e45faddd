import type { Evidence, Rule } from './evidence';

/** Nothing of the work is left in any table, queue, stream or subscription. */
export const nothingLeft: Rule = {
  name: 'nothing is left behind in Postgres or Redis',
  breaches: ({ left }: Evidence) => [
    ...some('unfinished runs', left.unfinishedRuns),
    ...some('claimed runs', left.claimedRuns),
    ...some('tool calls without a result', left.openCalls),
    ...some('jobs', left.jobs),
    ...some('keys without an expiry', left.keysWithoutExpiry),
    ...some('subscriptions', left.subscriptions),
    ...count('tokens of callers', left.callerTokens),
    ...count('sessions with more than one checkpoint', left.sessionsWithOldCheckpoints),
    ...count('open transactions', left.openTransactions),
    ...count('connections to Redis beyond those at the start', left.extraConnections),
  ],
};

const MOST_SHOWN = 5;

function some(what: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  return [
    `${items.length} ${what}: ${items.slice(0, MOST_SHOWN).join(', ')}${items.length > MOST_SHOWN ? ', ...' : ''}`,
  ];
}

function count(what: string, number: number): string[] {
  return number > 0 ? [`${number} ${what}`] : [];
}
