import { Body, Controller, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { AcceptedRun } from '@copilot/persistence';
import type { Response } from 'express';
import { Caller, type Identity } from '../auth/caller';
import { CallerGuard } from '../auth/caller.guard';
import { ApiErrors } from '../http/api-errors';
import { closed } from '../http/closed';
import { CHAT_PATHS } from '../http/paths';
import { RunStreamer } from '../runs/run-streamer';
import { EVENT_STREAM } from '../sse/event-schema';
import { ApiIdempotencyKey, IdempotencyKey } from '../validation/idempotency-key';
import { ApiUuidParam, UuidParam } from '../validation/uuid-param';
import { AnswerService } from './answer.service';
import { ChatAnswer } from './chat-answer.dto';
import { CHAT_ERRORS } from './chat-errors';
import { ChatRequestDto } from './chat-request.dto';
import { ChatService, INJECTION } from './chat.service';
import { DisconnectWatch } from './disconnect-watch';
import { injectionMessage, InjectRequestDto } from './inject-request.dto';

const ANSWERS = {
  status: 200,
  description: 'Events, or the whole answer',
  content: {
    ...EVENT_STREAM,
    'application/json': { schema: { $ref: getSchemaPath(ChatAnswer) } },
  },
};

@ApiTags('chat')
@ApiUuidParam('project_id')
@UseGuards(CallerGuard)
@Controller(CHAT_PATHS)
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly answers: AnswerService,
    private readonly streamer: RunStreamer,
    private readonly disconnects: DisconnectWatch,
  ) {}

  @Post('stream')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Send a chat message',
    description:
      'Answers with server-sent events: `run` first, then `content`, `tool_call` (arguments so far), `tool_start`, `tool_waiting`, `tool_end`, `limits` (after every iteration), `limit_reached`, `limits_changed`, `cost_estimate`, `limits_adjusted`, `attempt`, `abort` or `error`, and `done` last. With `stream: false` one JSON at the end. The run goes on when the client leaves, unless `on_disconnect` is `cancel`.',
  })
  @ApiExtraModels(ChatAnswer)
  @ApiIdempotencyKey()
  @ApiResponse(ANSWERS)
  @ApiErrors(CHAT_ERRORS)
  async stream(
    @UuidParam('project_id') projectId: string,
    @Body() request: ChatRequestDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Caller() caller: Identity,
    @Res() response: Response,
  ): Promise<void> {
    const accepted = await this.chat.accept(projectId, caller, request, { idempotencyKey });
    await this.answer(request, accepted, response);
  }

  @Post('inject')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Have faults put into the lab, to practise troubleshooting',
    description:
      'As POST stream, in the mode `troubleshooting_injection`, whatever the mode of the config is.',
  })
  @ApiIdempotencyKey()
  @ApiResponse(ANSWERS)
  @ApiErrors(CHAT_ERRORS)
  async inject(
    @UuidParam('project_id') projectId: string,
    @Body() request: InjectRequestDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Caller() caller: Identity,
    @Res() response: Response,
  ): Promise<void> {
    const accepted = await this.chat.accept(projectId, caller, injectionMessage(request), {
      task: INJECTION,
      idempotencyKey,
    });
    await this.answer(request, accepted, response);
  }

  private async answer(
    { stream, on_disconnect }: Pick<ChatRequestDto, 'stream' | 'on_disconnect'>,
    accepted: AcceptedRun,
    response: Response,
  ): Promise<void> {
    // Whoever sends a request again is a viewer: the run is another connection's.
    if (on_disconnect === 'cancel' && !accepted.repeated) this.disconnects.watch(accepted.run, response);
    if (stream === false) {
      const answer = await this.answers.waitFor(accepted, closed(response));
      if (answer) response.json(answer);
      return;
    }
    await this.streamer.stream(accepted, undefined, response);
  }
}
