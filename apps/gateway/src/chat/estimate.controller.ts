import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type Identity } from '../auth/caller';
import { CallerGuard } from '../auth/caller.guard';
import { ApiErrors } from '../http/api-errors';
import { CHAT_PATHS } from '../http/paths';
import { ApiUuidParam, UuidParam } from '../validation/uuid-param';
import { CHAT_ERRORS } from './chat-errors';
import { ChatRequestDto } from './chat-request.dto';
import { RunEstimateDto } from './estimate.dto';
import { EstimateService } from './estimate.service';

@ApiTags('chat')
@ApiUuidParam('project_id')
@UseGuards(CallerGuard)
@Controller(CHAT_PATHS)
export class EstimateController {
  constructor(private readonly estimates: EstimateService) {}

  @Post('estimate')
  @HttpCode(200)
  @ApiOperation({
    summary: 'What a chat message would cost',
    description:
      'The same body as for POST stream. Nothing is run: no model is called, and no session and no run is made. With a session_id, its conversation counts as it would be sent.',
  })
  @ApiOkResponse({ type: RunEstimateDto })
  @ApiErrors(CHAT_ERRORS)
  estimate(
    @UuidParam('project_id') projectId: string,
    @Body() request: ChatRequestDto,
    @Caller() caller: Identity,
  ): Promise<RunEstimateDto> {
    return this.estimates.estimate(projectId, caller, request);
  }
}
