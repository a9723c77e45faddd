/** The only importer of bullmq and @nestjs/bullmq. */
export { getQueueToken, Processor } from '@nestjs/bullmq';
export { Queue, type Job } from 'bullmq';
export { Drain } from './drain';
export { DrainingWorker } from './draining-worker';
export type { ToolCallPlace } from './job-ids';
export { LostDeliveries, type DeliveredRun } from './lost-deliveries';
export { QueueHealth } from './queue-health';
export { QueuesModule } from './queues.module';
export { RunDelivery, type DeliveryOutcome } from './run-delivery';
export { RunQueue } from './run-queue';
export { SettleDelivery } from './settle-delivery';
export { ToolCallDelivery } from './tool-call-delivery';
export { ToolCallFlows, type ToolCallJob } from './tool-call-flows';
export { UpkeepSchedule } from './upkeep-schedule';
export { WORKER_POLICY } from './worker-policy';
