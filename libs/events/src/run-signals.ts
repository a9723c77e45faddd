import { publish, type RedisClient, type Subscriber } from '@copilot/redis';

/** One channel for all runs: it carries a message for a cancel or a change of limits, not one for an event. */
const CHANNEL = '{copilot}:run-signals';

/** Tells whoever works on a run that its row has changed and is to be looked at. */
export async function signalRun(redis: RedisClient, runId: string): Promise<void> {
  await publish(redis, CHANNEL, runId);
}

type Listener = () => void;

/**
 * Hears of runs whose row has changed, over the one subscriber of the process. A signal says only
 * "look": one that is lost costs time and nothing else.
 */
export class RunSignals {
  private readonly listeners = new Map<string, Set<Listener>>();

  constructor(private readonly subscriber: Subscriber) {
    subscriber.onMessage((channel, runId) => {
      if (channel === CHANNEL) for (const listener of this.listeners.get(runId) ?? []) listener();
    });
    // What was published during a gap is lost, so everybody has to look.
    subscriber.onGap(() => {
      for (const set of this.listeners.values()) for (const listener of set) listener();
    });
  }

  /** Resolves once Redis has confirmed the subscription. */
  async start(): Promise<void> {
    await this.subscriber.subscribe(CHANNEL);
  }

  /** Calls `listener` for every signal of the run, until the returned function is called. */
  listen(runId: string, listener: Listener): () => void {
    const set = this.listeners.get(runId) ?? new Set<Listener>();
    this.listeners.set(runId, set);
    set.add(listener);
    return () => {
      set.delete(listener);
      if (set.size === 0) this.listeners.delete(runId);
    };
  }

  close(): void {
    this.subscriber.close();
  }
}
