import { QUEUES } from '@copilot/contracts';
import { getQueueToken } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';

/** Jobs of each queue by state, for readiness. */
@Injectable()
export class QueueHealth {
  constructor(
    @Inject(getQueueToken(QUEUES.runs)) private readonly runs: Queue,
    @Inject(getQueueToken(QUEUES.toolCalls)) private readonly toolCalls: Queue,
  ) {}

  async counts(): Promise<Record<string, Record<string, number>>> {
    const [runs, toolCalls] = await Promise.all([
      this.runs.getJobCounts('wait', 'active', 'waiting-children', 'delayed', 'failed'),
      this.toolCalls.getJobCounts('wait', 'active', 'waiting-children', 'delayed', 'failed'),
    ]);
    return { [QUEUES.runs]: runs, [QUEUES.toolCalls]: toolCalls };
  }
}
