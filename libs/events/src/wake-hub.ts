import type { Subscriber } from '@copilot/redis';
import { wakeChannel } from './keys';

type Listener = () => void;

/**
 * The one subscriber of a process, shared by all its readers: a connection for each client would exhaust
 * Redis. A channel is subscribed while it has at least one listener.
 */
export class WakeHub {
  private readonly listeners = new Map<string, Set<Listener>>();

  constructor(private readonly subscriber: Subscriber) {
    subscriber.onMessage((channel) => {
      for (const listener of this.listeners.get(channel) ?? []) listener();
    });
    // What was published during a gap is in the log, so every reader has to look.
    subscriber.onGap(() => {
      for (const set of this.listeners.values()) for (const listener of set) listener();
    });
  }

  /** Resolves once Redis has confirmed the subscription: what is appended from then on wakes `listener`. */
  async listen(runId: string, listener: Listener): Promise<() => void> {
    const channel = wakeChannel(runId);
    const set = this.listeners.get(channel) ?? new Set<Listener>();
    this.listeners.set(channel, set);
    set.add(listener);
    const stop = () => this.stop(channel, listener);
    try {
      await this.subscriber.subscribe(channel);
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  /** Channels with a listener in this process. */
  get size(): number {
    return this.listeners.size;
  }

  private stop(channel: string, listener: Listener): void {
    const set = this.listeners.get(channel);
    if (!set?.delete(listener) || set.size > 0) return;
    this.listeners.delete(channel);
    // A failure means the connection is gone, and with it the subscription.
    this.subscriber.unsubscribe(channel).catch(() => undefined);
  }
}
