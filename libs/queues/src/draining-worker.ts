import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Drain } from './drain';

export interface WorkerSettings {
  readonly concurrency: number;
  /** How long jobs under way may go on after SIGTERM before they are given up. */
  readonly drainSeconds: number;
  readonly drain: Drain;
  readonly onFault: (error: Error) => void;
}

/** A worker's start and its orderly end; what it does with a job is its subclass's. */
export abstract class DrainingWorker extends WorkerHost implements OnApplicationBootstrap, OnModuleDestroy {
  protected constructor(private readonly settings: WorkerSettings) {
    super();
  }

  onApplicationBootstrap(): void {
    this.worker.concurrency = this.settings.concurrency;
    // Ends when the worker is closed; its faults come as events.
    void this.worker.run();
  }

  /** Before any store is closed: stop claiming, finish or hand back what is under way. */
  async onModuleDestroy(): Promise<void> {
    const { drain, drainSeconds } = this.settings;
    drain.begin(drainSeconds * 1_000);
    await this.worker.close();
    drain.end();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.settings.onFault(error);
  }

  /** BullMQ only reports a lost lock; stopping the loser is ours to do. */
  @OnWorkerEvent('lockRenewalFailed')
  onLockRenewalFailed(jobIds: string[]): void {
    for (const jobId of jobIds) this.worker.cancelJob(jobId, 'the lock was lost');
  }
}
