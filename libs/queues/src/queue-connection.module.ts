import type { RedisClient } from '@copilot/redis';
import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';

/** Injection token of the connection that all queues of the process share; a worker has one more, to wait on. */
export const QUEUE_CONNECTION = Symbol('QUEUE_CONNECTION');

export type Connect = (onError: (error: Error) => void) => RedisClient;

/** The queues pass on what happens to their connection; here it would be in the log once more. */
const toldByTheQueues = () => undefined;

/**
 * The connection of the queues. BullMQ does not close a client that it was given; this module is under those of
 * the queues, so Nest ends it after them.
 */
@Module({})
export class QueueConnectionModule implements OnApplicationShutdown {
  constructor(@Inject(QUEUE_CONNECTION) private readonly connection: RedisClient) {}

  /** Connects when the process is put together, so a gateway that is only looked at connects to nothing. */
  static register(connect: Connect): DynamicModule {
    return {
      module: QueueConnectionModule,
      providers: [{ provide: QUEUE_CONNECTION, useFactory: () => connect(toldByTheQueues) }],
      exports: [QUEUE_CONNECTION],
    };
  }

  onApplicationShutdown(): void {
    this.connection.disconnect();
  }
}
