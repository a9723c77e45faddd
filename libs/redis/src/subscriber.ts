import { connectSubscriber, type OnError, type RedisClient } from './redis-client';

/**
 * The subscriber of a process: one connection, of a cluster one to each node that has a channel with a
 * subscription. Channels are sharded, so a message goes to one node and not over the whole cluster; a server alone
 * does the same with them as with any channel. Subscriptions are made again after a lost connection.
 */
export class Subscriber {
  private readonly client: RedisClient;

  constructor(url: string, onError: OnError) {
    this.client = connectSubscriber(url, onError);
  }

  /** Calls `listener` with every message of the channels that are subscribed to. */
  onMessage(listener: (channel: string, message: string) => void): void {
    this.client.on('smessage', listener);
  }

  /** Calls `listener` whenever a connection has been made, again or for the first time: what was published before may be missing. */
  onGap(listener: () => void): void {
    this.client.on('ready', listener);
    this.client.on('subscribersReady', listener);
  }

  /** Resolves once Redis has confirmed it: what is published from then on arrives. */
  async subscribe(channel: string): Promise<void> {
    await this.client.ssubscribe(channel);
  }

  async unsubscribe(channel: string): Promise<void> {
    await this.client.sunsubscribe(channel);
  }

  close(): void {
    this.client.disconnect();
  }
}

/** Reaches every Subscriber of the channel that is connected at this moment. */
export async function publish(redis: RedisClient, channel: string, message: string): Promise<void> {
  await redis.spublish(channel, message);
}
