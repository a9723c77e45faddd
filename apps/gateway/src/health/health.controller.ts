import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ReadinessService } from './readiness.service';

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly readinessService: ReadinessService) {}

  @Get('live')
  @ApiOperation({ summary: 'The process serves requests' })
  @ApiOkResponse({ schema: { example: { status: 'ok' } } })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({ summary: 'Redis, Postgres and the queues can be used' })
  @ApiOkResponse({ schema: { example: { status: 'ok', checks: { postgres: { status: 'up' } } } } })
  @ApiServiceUnavailableResponse({ description: '`message` names what is away' })
  async ready(@Res() response: Response): Promise<void> {
    const { ready, checks } = await this.readinessService.readiness();
    if (ready) {
      response.json({ status: 'ok', checks });
      return;
    }
    const away = Object.entries(checks).filter(([, { status }]) => status === 'down');
    response.status(503).json({
      status: 'unavailable',
      message: `Not ready: ${away.map(([name]) => name).join(', ')}`,
      checks,
    });
  }
}
