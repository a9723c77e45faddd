import { MessageCounter, tokenCounter, type Encoding } from '@copilot/context-budget';

const counters = new Map<Encoding, MessageCounter>();

/** One counter an encoding and process: what it has counted once costs nothing in the next iteration. */
export function messageCounter(encoding: Encoding): MessageCounter {
  const known = counters.get(encoding) ?? new MessageCounter(tokenCounter(encoding));
  counters.set(encoding, known);
  return known;
}

/** Lets timers and sockets have their turn, so that a long count does not cost a queue lock. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
