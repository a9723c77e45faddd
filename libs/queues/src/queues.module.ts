import { BullModule, getFlowProducerToken, getQueueToken } from '@nestjs/bullmq';
import { Inject, Logger, Module, type DynamicModule } from '@nestjs/common';
import { QUEUES } from '@copilot/contracts';
import { connectFailFast, connectPatient, type RedisClient } from '@copilot/redis';
import type { FlowProducer, Queue } from 'bullmq';
import { LostDeliveries } from './lost-deliveries';
import { QUEUE_CONNECTION, QueueConnectionModule, type Connect } from './queue-connection.module';
import { RunQueue } from './run-queue';
import { ToolCallFlows } from './tool-call-flows';
import { UpkeepSchedule } from './upkeep-schedule';
import { QUEUE_PREFIX } from './worker-policy';

const FLOWS = 'tool-call-flows';

const logger = new Logger('QueuesModule');
const onConnectionError = (error: Error) => logger.warn({ err: error }, 'queue connection failed');

/** The queues as a process sees them: a gateway produces and fails fast, a worker waits for Redis. */
@Module({})
export class QueuesModule {
  constructor(
    @Inject(getQueueToken(QUEUES.runs)) runs: Queue,
    @Inject(getQueueToken(QUEUES.toolCalls)) toolCalls: Queue,
    @Inject(getFlowProducerToken(FLOWS)) flows: FlowProducer,
  ) {
    // Without a listener every lost connection is printed raw, past the logger.
    runs.on('error', onConnectionError);
    toolCalls.on('error', onConnectionError);
    flows.on('error', onConnectionError);
  }

  /** Requests must fail fast while Redis is away, and a command that failed must not run later. */
  static forGateway(redisUrl: string): DynamicModule {
    return QueuesModule.register((onError) => connectFailFast(redisUrl, onError));
  }

  static forWorker(redisUrl: string): DynamicModule {
    return QueuesModule.register((onError) => connectPatient(redisUrl, onError));
  }

  /** With the queue of the upkeep, which is the agent workers' alone. */
  static forAgentWorker(redisUrl: string): DynamicModule {
    const base = QueuesModule.forWorker(redisUrl);
    return {
      ...base,
      imports: [...(base.imports ?? []), BullModule.registerQueue({ name: QUEUES.upkeep })],
      providers: [
        ...(base.providers ?? []),
        {
          provide: UpkeepSchedule,
          inject: [getQueueToken(QUEUES.upkeep)],
          useFactory: (queue: Queue) => new UpkeepSchedule(queue, onConnectionError),
        },
        {
          provide: LostDeliveries,
          inject: [getQueueToken(QUEUES.runs), getQueueToken(QUEUES.toolCalls)],
          useFactory: (runs: Queue, toolCalls: Queue) => new LostDeliveries(runs, toolCalls),
        },
      ],
      exports: [...(base.exports ?? []), UpkeepSchedule, LostDeliveries],
    };
  }

  private static register(connect: Connect): DynamicModule {
    return {
      module: QueuesModule,
      global: true,
      imports: [
        BullModule.forRootAsync({
          imports: [QueueConnectionModule.register(connect)],
          inject: [QUEUE_CONNECTION],
          useFactory: (connection: RedisClient) => ({ connection, prefix: QUEUE_PREFIX }),
        }),
        BullModule.registerQueue({ name: QUEUES.runs }, { name: QUEUES.toolCalls }),
        BullModule.registerFlowProducer({ name: FLOWS }),
      ],
      providers: [
        {
          provide: RunQueue,
          inject: [getQueueToken(QUEUES.runs)],
          useFactory: (queue: Queue) => new RunQueue(queue),
        },
        {
          provide: ToolCallFlows,
          inject: [getFlowProducerToken(FLOWS)],
          useFactory: (flows: FlowProducer) => new ToolCallFlows(flows),
        },
      ],
      exports: [BullModule, RunQueue, ToolCallFlows],
    };
  }
}
