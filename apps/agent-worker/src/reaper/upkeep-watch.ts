import { REAP_EVERY_MS } from '@copilot/contracts';
import type { Logger } from '@copilot/observability';
import type { UpkeepSchedule } from '@copilot/queues';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

/** Sees to it that the schedule is there, from the start and after a Redis that has lost it. */
export class UpkeepWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private looking = false;

  constructor(
    private readonly schedule: UpkeepSchedule,
    private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), REAP_EVERY_MS);
    void this.look();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    // While Redis is away a look takes as long as that.
    if (this.looking) return;
    this.looking = true;
    try {
      await this.schedule.ensure();
    } catch (err) {
      this.log.warn({ err }, 'the upkeep could not be scheduled');
    } finally {
      this.looking = false;
    }
  }
}
