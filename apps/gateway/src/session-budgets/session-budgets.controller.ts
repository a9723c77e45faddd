import { Body, Controller, Get, Put, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SESSION_BUDGETS } from '@copilot/contracts';
import { SessionBudgetsRepository, type BudgetedSession } from '@copilot/persistence';
import { Caller, type Identity } from '../auth/caller';
import { CallerGuard } from '../auth/caller.guard';
import { ProjectGate } from '../auth/project-gate';
import { notFound, unprocessable } from '../errors/api-error';
import { ApiErrors } from '../http/api-errors';
import { CHAT_PATHS } from '../http/paths';
import { ApiSessionParam, SessionParam } from '../validation/session-param';
import { ApiUuidParam, UuidParam } from '../validation/uuid-param';
import { budgetResource, namedBudgets, SessionBudgetDto, SessionBudgetResource } from './session-budget.dto';

const NOT_FOUND = "The session is not the caller's, not of this project, or does not exist";

@ApiTags('sessions')
@ApiUuidParam('project_id')
@UseGuards(CallerGuard)
@Controller(CHAT_PATHS.map((path) => `${path}/sessions`))
export class SessionBudgetsController {
  constructor(
    private readonly projects: ProjectGate,
    private readonly budgets: SessionBudgetsRepository,
  ) {}

  @Get(':session_id/budget')
  @ApiSessionParam()
  @ApiOperation({ summary: 'The budget of a session, what is used of it and what is left' })
  @ApiOkResponse({ type: SessionBudgetResource })
  @ApiErrors({ 403: 'The caller may not use the project', 404: NOT_FOUND, 422: 'An id is not valid' })
  async read(
    @UuidParam('project_id') projectId: string,
    @SessionParam() sessionId: string,
    @Caller() caller: Identity,
  ): Promise<SessionBudgetResource> {
    await this.projects.assertVisible(projectId, caller);
    return shown(sessionId, await this.budgets.find({ projectId, userId: caller.userId, sessionId }));
  }

  @Put(':session_id/budget')
  @ApiSessionParam()
  @ApiOperation({
    summary: 'Set totals over the life of a session',
    description:
      'What is left out stays, a null takes a budget away. Holds for the run at work from its next step on; a message on a session that has used one up gets a 429.',
  })
  @ApiOkResponse({ type: SessionBudgetResource })
  @ApiErrors({
    403: 'The caller may not use the project',
    404: NOT_FOUND,
    422: 'A field or an id is not valid, or no budget is named',
  })
  async change(
    @UuidParam('project_id') projectId: string,
    @SessionParam() sessionId: string,
    @Body() request: SessionBudgetDto,
    @Caller() caller: Identity,
  ): Promise<SessionBudgetResource> {
    await this.projects.assertVisible(projectId, caller);
    const named = namedBudgets(request);
    if (Object.keys(named).length === 0) {
      throw unprocessable(`Name at least one budget: ${SESSION_BUDGETS.join(', ')}`);
    }
    return shown(
      sessionId,
      await this.budgets.change({ projectId, userId: caller.userId, sessionId }, named),
    );
  }
}

function shown(sessionId: string, found: BudgetedSession | undefined): SessionBudgetResource {
  if (!found) throw notFound(`Session '${sessionId}' not found`);
  return budgetResource(found);
}
