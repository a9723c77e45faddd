import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { QUEUES } from '@copilot/contracts';
import { getQueueToken, type Queue } from '@copilot/queues';
import { AUTHENTICATOR, type Authenticator } from '../auth/authenticator';
import { dashboardAccess } from './dashboard-access';

export const DASHBOARD_PATH = '/admin/queues';

/** Bull Board over both queues, to look at only: what a run is to do is decided by its row, not by its job. */
@Module({})
export class DashboardModule implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(getQueueToken(QUEUES.runs)) private readonly runs: Queue,
    @Inject(getQueueToken(QUEUES.toolCalls)) private readonly toolCalls: Queue,
    @Inject(AUTHENTICATOR) private readonly authenticator: Authenticator,
  ) {}

  onModuleInit(): void {
    const serverAdapter = new ExpressAdapter().setBasePath(DASHBOARD_PATH);
    createBullBoard({
      queues: [this.runs, this.toolCalls].map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
      serverAdapter,
      options: {
        uiConfig: { boardTitle: 'GNS3 Copilot', hideRedisDetails: true, hideDocsLink: true },
      },
    });
    this.host.httpAdapter.use(DASHBOARD_PATH, dashboardAccess(this.authenticator, DASHBOARD_PATH));
    this.host.httpAdapter.use(DASHBOARD_PATH, serverAdapter.getRouter());
  }
}
