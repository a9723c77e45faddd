import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { DelayedError, UnrecoverableError, WaitingChildrenError, WaitingError, type Job } from 'bullmq';
import type { Drain } from './drain';

export interface WorkerSettings {
  readonly concurrency: number;
  /** How long jobs under way may go on after SIGTERM before they are given up. */
  readonly drainSeconds: number;
  readonly drain: Drain;
  readonly onFault: (error: Error) => void;
}

/** How long a job waits whose former delivery is still being given up in this process. */
const STILL_UNWINDING_MS = 1_000;

/** By these BullMQ learns that a job has left `active` without having ended. */
const MOVED = [DelayedError, WaitingChildrenError, WaitingError];

/** A worker's start and its orderly end; what it does with a job is its subclass's. */
export abstract class DrainingWorker extends WorkerHost implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly underWay = new Set<string>();

  protected constructor(private readonly settings: WorkerSettings) {
    super();
  }

  protected abstract handle(job: Job, token: string, lockLost: AbortSignal): Promise<void>;

  /** Three plain parameters, without defaults: BullMQ counts them to know that a signal is wanted. */
  override async process(job: Job, token?: string, signal?: AbortSignal): Promise<void> {
    const { id } = job;
    if (id === undefined || token === undefined || signal === undefined) {
      throw new UnrecoverableError('BullMQ gives an id, a token and a signal');
    }
    // BullMQ keeps locks by job id: the end of a former delivery would stop the renewal of this one's.
    if (this.underWay.has(id)) {
      await job.moveToDelayed(Date.now() + STILL_UNWINDING_MS, token);
      throw new DelayedError();
    }
    this.underWay.add(id);
    try {
      await this.handle(job, token, signal);
    } catch (error) {
      if (MOVED.some((kind) => error instanceof kind)) throw error;
      this.settings.onFault(error instanceof Error ? error : new Error(String(error)));
      // BullMQ keeps the message in Redis, where no parameter of a query may get.
      throw new Error('to be tried again; the reason is in the log of the worker');
    } finally {
      this.underWay.delete(id);
    }
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
