import { Body, Controller, Get, Headers, HttpCode, Patch, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller, type Identity } from '../auth/caller';
import { CallerGuard } from '../auth/caller.guard';
import { ApiErrors } from '../http/api-errors';
import { closed } from '../http/closed';
import { CHAT_PATHS } from '../http/paths';
import { EVENT_STREAM } from '../sse/event-schema';
import { ApiUuidParam, UuidParam } from '../validation/uuid-param';
import { WholeNumberQuery } from '../validation/whole-number-query';
import { ApprovalsDto } from './approvals.dto';
import { RunLimitsDto } from './run-limits.dto';
import { RunResource } from './run-resource.dto';
import { RunStreamer } from './run-streamer';
import { RunsService } from './runs.service';

/** Below what proxies let a silent request last. */
const MAX_WAIT_SECONDS = 50;

const RUN_ERRORS = {
  404: "The run is not the caller's, not of this project, or does not exist",
  422: 'An id is not a UUID',
};

@ApiTags('runs')
@ApiUuidParam('project_id')
@ApiUuidParam('run_id')
@UseGuards(CallerGuard)
@Controller(CHAT_PATHS.map((path) => `${path}/runs`))
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly streamer: RunStreamer,
  ) {}

  @Get(':run_id')
  @ApiOperation({ summary: 'How a run stands, at once or when it has ended' })
  @ApiQuery({
    name: 'wait',
    required: false,
    schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 },
    description: 'Seconds to wait for its end; when they are over it is shown as it is',
  })
  @ApiOkResponse({ type: RunResource })
  @ApiErrors(RUN_ERRORS)
  async read(
    @UuidParam('project_id') projectId: string,
    @UuidParam('run_id') runId: string,
    @WholeNumberQuery('wait', { min: 0, max: MAX_WAIT_SECONDS, byDefault: 0 }) waitSeconds: number,
    @Caller() caller: Identity,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RunResource> {
    await this.runs.untilEnd(projectId, runId, caller, waitSeconds, closed(response));
    return this.runs.resource(projectId, runId, caller);
  }

  @Post(':run_id/cancel')
  @HttpCode(200)
  @ApiOperation({
    summary: 'End a run',
    description:
      'A model call or a tool call under way is stopped at once; what there is of the answer is kept. The answer shows the run as it ended; one that had ended before is shown as it is. Viewers get `abort` and `done`.',
  })
  @ApiOkResponse({ type: RunResource })
  @ApiErrors(RUN_ERRORS)
  cancel(
    @UuidParam('project_id') projectId: string,
    @UuidParam('run_id') runId: string,
    @Caller() caller: Identity,
  ): Promise<RunResource> {
    return this.runs.cancel(projectId, runId, caller);
  }

  @Post(':run_id/approvals')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Decide of tool calls that wait for a person',
    description:
      'Approves, edits or rejects calls of a run that is `waiting_approval`, all that are named or none; in one request or in several. With the last one the run goes on. The same decision again changes nothing, another one is a 409. Viewers get `approval_decided`; docs/approvals.md.',
  })
  @ApiOkResponse({ type: RunResource })
  @ApiErrors({
    ...RUN_ERRORS,
    409: 'The run does not wait, the time is over, or the call was decided otherwise',
    422: 'A decision or an id is not valid, a call does not wait for anybody, or edited arguments cannot be run',
  })
  decide(
    @UuidParam('project_id') projectId: string,
    @UuidParam('run_id') runId: string,
    @Body() asked: ApprovalsDto,
    @Caller() caller: Identity,
  ): Promise<RunResource> {
    return this.runs.decide(projectId, runId, asked, caller);
  }

  @Patch(':run_id/limits')
  @ApiOperation({
    summary: 'Change the limits of a run that works or waits',
    description:
      'Fields as in POST stream; what is left out stays, a null gives the default back. Holds from the next step on: a value below what is used already counts as reached, and calls that were admitted are not recalled. Viewers get `limits_changed`.',
  })
  @ApiOkResponse({ type: RunResource })
  @ApiErrors({
    ...RUN_ERRORS,
    409: 'The run has ended',
    422: 'A field or an id is not valid, or no limit is named',
  })
  changeLimits(
    @UuidParam('project_id') projectId: string,
    @UuidParam('run_id') runId: string,
    @Body() asked: RunLimitsDto,
    @Caller() caller: Identity,
  ): Promise<RunResource> {
    return this.runs.changeLimits(projectId, runId, asked, caller);
  }

  @Get(':run_id/events')
  @ApiOperation({
    summary: "A run's events, from the start or after the last one that the client has",
    description:
      'The same frames as from POST stream, each with its cursor as `id:`. An id that is not of this run gets all of them.',
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'Cursor of the last event received' })
  @ApiQuery({
    name: 'last_event_id',
    required: false,
    description: 'The same, for clients that cannot set headers',
  })
  @ApiResponse({
    status: 200,
    description: 'Server-sent events; the server closes the stream after `done`',
    content: EVENT_STREAM,
  })
  @ApiErrors(RUN_ERRORS)
  async events(
    @UuidParam('project_id') projectId: string,
    @UuidParam('run_id') runId: string,
    @Headers('last-event-id') header: string | undefined,
    @Query('last_event_id') query: unknown,
    @Caller() caller: Identity,
    @Res() response: Response,
  ): Promise<void> {
    const run = await this.runs.find(projectId, runId, caller);
    const lastEventId = header ?? (typeof query === 'string' ? query : undefined);
    await this.streamer.stream(run, lastEventId, response);
  }
}
