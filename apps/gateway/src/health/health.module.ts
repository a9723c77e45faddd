import { Module } from '@nestjs/common';
import { QueueHealth } from '@copilot/queues';
import { HealthController } from './health.controller';
import { ReadinessService } from './readiness.service';

@Module({ controllers: [HealthController], providers: [ReadinessService, QueueHealth] })
export class HealthModule {}
