import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse, ApiSchema, ApiTags } from '@nestjs/swagger';
import { RUN_STATUSES, type RunStatus } from '@copilot/contracts';
import type { Request, Response } from 'express';
import { Caller, type Identity } from '../auth/caller';
import { CallerGuard } from '../auth/caller.guard';
import { ApiErrors } from '../http/api-errors';
import { CHAT_PATHS } from '../http/paths';
import { ApiIdempotencyKey, IdempotencyKey } from '../validation/idempotency-key';
import { ApiUuidParam, UuidParam } from '../validation/uuid-param';
import { CHAT_ERRORS } from './chat-errors';
import { ChatRequestDto } from './chat-request.dto';
import { ChatService } from './chat.service';

@ApiSchema({ name: 'BackgroundRun' })
export class BackgroundRun {
  @ApiProperty({ format: 'uuid' })
  readonly run_id!: string;
  @ApiProperty()
  readonly session_id!: string;
  @ApiProperty({ enum: RUN_STATUSES, enumName: 'RunStatus' })
  readonly status!: RunStatus;
  @ApiProperty({ description: 'Unfinished runs before it on its session' })
  readonly queue_position!: number;
}

/** Runs that nobody waits for; they are followed, or asked for, by their id. */
@ApiTags('runs')
@ApiUuidParam('project_id')
@UseGuards(CallerGuard)
@Controller(CHAT_PATHS.map((path) => `${path}/runs`))
export class BackgroundRunsController {
  constructor(private readonly chat: ChatService) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a chat message and do not wait for the answer',
    description:
      'The same body as for POST stream, whose `stream` and `on_disconnect` mean nothing here. `Location` is the run; its `/events` are what POST stream would have sent.',
  })
  @ApiIdempotencyKey()
  @ApiResponse({
    status: 202,
    type: BackgroundRun,
    description: 'The run is accepted',
    headers: { Location: { description: 'The run', schema: { type: 'string' } } },
  })
  @ApiErrors(CHAT_ERRORS)
  async start(
    @UuidParam('project_id') projectId: string,
    @Body() request: ChatRequestDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Caller() caller: Identity,
    @Req() { path }: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BackgroundRun> {
    const { run, session, queuePosition } = await this.chat.accept(projectId, caller, request, {
      idempotencyKey,
    });
    response.location(`${path.replace(/\/$/, '')}/${run.runId}`);
    return {
      run_id: run.runId,
      session_id: session.sessionId,
      status: run.status,
      queue_position: queuePosition,
    };
  }
}
