import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query, UseGuards } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Caller, type Identity } from '../auth/caller';
import { CallerGuard } from '../auth/caller.guard';
import { ApiErrors } from '../http/api-errors';
import { CHAT_PATHS } from '../http/paths';
import { RunSummary } from '../runs/run-resource.dto';
import { ApiSessionParam, SessionParam } from '../validation/session-param';
import { ApiUuidParam, UuidParam } from '../validation/uuid-param';
import { WholeNumberQuery } from '../validation/whole-number-query';
import { HistoryResource } from './history-resource.dto';
import { RenameSessionDto } from './session-requests.dto';
import { AbortedSession, SessionResource } from './session-resource.dto';
import { SessionsService } from './sessions.service';

const PROJECT_ERRORS = {
  403: 'The project is not opened',
  404: 'The project does not exist',
  422: 'An id or a field is not valid',
};
const SESSION_ERRORS = {
  ...PROJECT_ERRORS,
  404: 'The project does not exist, or the caller has no such session',
};
const DEFAULT_MESSAGES = 100;
const MAX_MESSAGES = 1_000_000;
const DEFAULT_RUNS = 20;
const MAX_RUNS = 100;

@ApiTags('sessions')
@ApiUuidParam('project_id')
@UseGuards(CallerGuard)
@Controller(CHAT_PATHS.map((path) => `${path}/sessions`))
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @ApiOperation({ summary: "The caller's newest hundred sessions in the project, pinned ones first" })
  @ApiQuery({ name: 'copilot_mode', required: false, description: 'Only sessions that began in this mode' })
  @ApiOkResponse({ type: [SessionResource] })
  @ApiErrors(PROJECT_ERRORS)
  list(
    @UuidParam('project_id') projectId: string,
    @Query('copilot_mode') copilotMode: unknown,
    @Caller() caller: Identity,
  ): Promise<SessionResource[]> {
    return this.sessions.list(projectId, caller, typeof copilotMode === 'string' ? copilotMode : undefined);
  }

  @Get(':session_id/runs')
  @ApiSessionParam()
  @ApiOperation({ summary: 'The runs of a session, newest first' })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_RUNS, default: DEFAULT_RUNS },
  })
  @ApiOkResponse({ type: [RunSummary] })
  @ApiErrors(SESSION_ERRORS)
  runs(
    @UuidParam('project_id') projectId: string,
    @SessionParam() sessionId: string,
    @WholeNumberQuery('limit', { min: 1, max: MAX_RUNS, byDefault: DEFAULT_RUNS }) limit: number,
    @Caller() caller: Identity,
  ): Promise<RunSummary[]> {
    return this.sessions.runs(projectId, sessionId, caller, limit);
  }

  @Get(':session_id/history')
  @ApiSessionParam()
  @ApiOperation({ summary: 'The messages of a session; none for one that is unknown' })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 0, maximum: MAX_MESSAGES, default: DEFAULT_MESSAGES },
    description: 'The last so many; 0 = all',
  })
  @ApiOkResponse({ type: HistoryResource })
  @ApiErrors(PROJECT_ERRORS)
  history(
    @UuidParam('project_id') projectId: string,
    @SessionParam() sessionId: string,
    @WholeNumberQuery('limit', { min: 0, max: MAX_MESSAGES, byDefault: DEFAULT_MESSAGES }) limit: number,
    @Caller() caller: Identity,
  ): Promise<HistoryResource> {
    return this.sessions.history(projectId, sessionId, caller, limit);
  }

  @Patch(':session_id')
  @ApiSessionParam()
  @ApiOperation({ summary: 'Give a session a title of its own, which no later message replaces' })
  @ApiOkResponse({ type: SessionResource })
  @ApiErrors(SESSION_ERRORS)
  rename(
    @UuidParam('project_id') projectId: string,
    @SessionParam() sessionId: string,
    @Body() body: RenameSessionDto,
    @Caller() caller: Identity,
  ): Promise<SessionResource> {
    return this.sessions.rename(projectId, sessionId, caller, body.title);
  }

  @Delete(':session_id')
  @HttpCode(204)
  @ApiSessionParam()
  @ApiOperation({
    summary: 'Delete a session with everything that belongs to it',
    description: 'Its unfinished runs end, and their streams with `done` and the reason `aborted`.',
  })
  @ApiNoContentResponse()
  @ApiErrors(SESSION_ERRORS)
  delete(
    @UuidParam('project_id') projectId: string,
    @SessionParam() sessionId: string,
    @Caller() caller: Identity,
  ): Promise<void> {
    return this.sessions.delete(projectId, sessionId, caller);
  }

  @Post(':session_id/abort')
  @HttpCode(200)
  @ApiSessionParam()
  @ApiOperation({
    summary: 'End what is unfinished on a session',
    description: 'The run at work, and those that wait in line. The same answer for an unknown session.',
  })
  @ApiOkResponse({ type: AbortedSession })
  @ApiErrors(PROJECT_ERRORS)
  async abort(
    @UuidParam('project_id') projectId: string,
    @SessionParam() sessionId: string,
    @Caller() caller: Identity,
  ): Promise<AbortedSession> {
    await this.sessions.abort(projectId, sessionId, caller);
    return { status: 'ok', session_id: sessionId };
  }

  @Put(':session_id/pin')
  @ApiSessionParam()
  @ApiOperation({ summary: 'Show a session before the others' })
  @ApiOkResponse({ type: SessionResource })
  @ApiErrors(SESSION_ERRORS)
  pin(
    @UuidParam('project_id') projectId: string,
    @SessionParam() sessionId: string,
    @Caller() caller: Identity,
  ): Promise<SessionResource> {
    return this.sessions.pin(projectId, sessionId, caller, true);
  }

  @Delete(':session_id/pin')
  @ApiSessionParam()
  @ApiOperation({ summary: 'Show a session in its place by time again' })
  @ApiOkResponse({ type: SessionResource })
  @ApiErrors(SESSION_ERRORS)
  unpin(
    @UuidParam('project_id') projectId: string,
    @SessionParam() sessionId: string,
    @Caller() caller: Identity,
  ): Promise<SessionResource> {
    return this.sessions.pin(projectId, sessionId, caller, false);
  }
}
