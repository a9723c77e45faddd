import type { Evidence, Rule } from './evidence';

/** Every history was accepted by the strict provider; see test/fakes/strict-provider.ts for what it refuses. */
export const historiesValid: Rule = {
  name: 'every history is accepted by the strict provider',
  breaches: ({ model }: Evidence) => [...model.faults],
};
